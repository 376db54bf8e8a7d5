#pragma once

#include <cstdint>
#include <vector>

#include "app/pages/timeline/step_curve.h"
#include "core/trace/trace.h"

namespace warpwalk::pages {

/// A track of the timeline that shows a value over time. Times are ns since the trace's start.
struct TraceCurve {
  enum class Kind : std::uint8_t {
    queue,      ///< kernels, copies and fills of a GPU whose call began and which the GPU has not begun
    allocator,  ///< bytes that PyTorch's allocator has allocated; in `reserved` those that it has reserved
    driver,     ///< bytes that were allocated at the driver since the recording began
  };
  Kind kind = Kind::queue;
  std::int64_t device = trace::absent;
  bool cpu = false;    ///< allocator: the CPU's memory
  StepCurve curve;     ///< never empty
  StepCurve reserved;  ///< empty if it is not recorded, or never above 0

  std::int64_t highest() const { return reserved.highest() > curve.highest() ? reserved.highest() : curve.highest(); }
};

/// The curves of a trace: for each GPU its queue, then memory of GPUs, then that of the CPU. GPU work without a
/// recorded launch, without a time, or which began before its call by the GPU's clock is in no queue.
std::vector<TraceCurve> trace_curves(const trace::Trace& trace);

}  // namespace warpwalk::pages
