#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// For what a thread waits while it is in a Python frame. A frame is told by its name: torch.profiler records functions
/// of Python as "queue.py(154): get" and those in C as "<built-in method acquire of _thread.lock object at 0x7f...>".
enum class CpuWait : std::uint8_t {
  none,      ///< the thread works
  sleep,     ///< time passes: time.sleep
  input,     ///< data from outside of the recorded threads: a pipe, a socket, a file, another process
  lock,      ///< another thread: a lock, a condition, a queue, a future, join
  autograd,  ///< the autograd thread, once it has begun: run_backward
};

/// Which kind of wait a Python frame of this name is.
CpuWait cpu_wait_of(std::string_view frame);

/// The same for the slices of one trace: each name is read once.
class CpuWaits {
 public:
  explicit CpuWaits(const trace::Trace& trace);

  /// `none` for all slices but Python frames.
  CpuWait of(trace::SliceId slice) const {
    return trace_.slices.kind[slice] == trace::SliceKind::python ? by_name_[trace_.slices.name[slice]] : CpuWait::none;
  }

 private:
  const trace::Trace& trace_;
  std::vector<CpuWait> by_name_;  // by StringId
};

}  // namespace warpwalk::analysis
