#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/kernels/communication.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// The classes of GPU work by which Holistic Trace Analysis (HTA) divides a GPU's time.
enum class WorkClass : std::uint8_t { compute, communication, memory };
/// Copies and fills are memory; kernels that do not communicate compute.
WorkClass class_of(const Communication& communication, const trace::Trace& trace, trace::SliceId work);

/// HTA's temporal breakdown of one GPU, ns: idle + compute + non_compute = to - from.
struct GpuBreakdown {
  std::int64_t device = trace::absent;
  std::int64_t from = 0, to = 0;         ///< start of the first work, end of the last one
  std::int64_t idle = 0;                 ///< no stream has work
  std::int64_t compute = 0;              ///< at least one kernel computes
  std::int64_t non_compute = 0;          ///< only communication, copies or fills run
  std::int64_t communication = 0;        ///< such kernels run, with or without other work
  std::int64_t communication_alone = 0;  ///< ... and no kernel computes
};

/// A copy, fill or kernel that communicates, with the time in which nothing better ran on its GPU, ns: for
/// communication, no kernel that computes; for copies and fills, no kernel. A moment counts for the first such work.
struct ExposedWork {
  trace::SliceId slice = trace::no_slice;
  std::int64_t from = 0;
  std::int64_t time = 0;
};
/// All work of this class (memory or communication) on a GPU that has such a time, by start.
std::vector<ExposedWork> exposed_work(const trace::Trace& trace, std::int64_t device, WorkClass of);

/// One for each GPU with timed work, by number.
std::vector<GpuBreakdown> gpu_breakdowns(const trace::Trace& trace);

}  // namespace warpwalk::analysis
