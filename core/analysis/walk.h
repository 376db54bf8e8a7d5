#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/slices.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// One number of a result of two dimensions.
struct ElementIndex {
  std::int64_t row = 0, column = 0;
  friend bool operator==(const ElementIndex&, const ElementIndex&) = default;
};

/// The op, kernel and launch that all scenes follow. Each of them can be missing, if the trace lacks it.
struct Walk {
  SliceId op = no_slice;      ///< the chosen op, or the innermost one around the launch
  SliceId kernel = no_slice;  ///< kernel, copy or fill on the GPU: the longest that the op started
  SliceId launch = no_slice;  ///< the call that started it
  /// From the outermost op around `op` down to the innermost op around the launch (or to `op`, without a launch).
  std::vector<SliceId> ops;
  /// Python frames around the outermost op, the outermost frame first.
  std::vector<SliceId> frames;
  /// Number of kernels, copies and fills that the op started.
  std::size_t gpu_pieces = 0;
  /// The number of the result that was chosen to be followed; none: the scenes choose one.
  std::optional<ElementIndex> element = {};

  bool empty() const { return op == no_slice && kernel == no_slice; }
  friend bool operator==(const Walk&, const Walk&) = default;
};

/// The op with the most GPU time, including nested ops (the outermost of equals). Without GPU work: the longest op;
/// without ops: the longest kernel.
Walk default_walk(const Trace& trace);
/// `what` is "op:N" or "kernel:N", N counted from 0 in the order of start, or "launch:N", N counted from 0 by thread
/// and start over all calls and the work that they started (including copies and fills). "element:I,J" follows a number
/// of the result of the default walk, and "op:N/element:I,J" (or kernel, launch) of another one. On failure: one line
/// with the valid range.
base::Result<Walk> follow(const Trace& trace, std::string_view what);
Walk follow_op(const Trace& trace, SliceId op);
Walk follow_gpu_work(const Trace& trace, SliceId kernel);

/// GPU time in ns of each slice's calls, including nested ones, by SliceId.
std::vector<std::int64_t> gpu_time_by_slice(const Trace& trace);

/// The number of this op or kernel in op:N or kernel:N.
std::size_t number_of(const Trace& trace, SliceId slice);
/// The argument of follow() for an op or GPU work: op:N, kernel:N, or launch:N for copies and fills; empty for any
/// other slice.
std::string follow_name(const Trace& trace, SliceId slice);

/// The followed kernel, or null if it is a copy or a fill (or nothing).
const trace::KernelDetail* kernel_detail(const Trace& trace, const Walk& walk);
/// The record of its launch; null if the trace has none.
const trace::KernelRecord* kernel_record(const Trace& trace, const Walk& walk);

/// Whether the time of the followed work is known.
enum class TimeRecord : std::uint8_t {
  timed,
  unclocked,   ///< simulated without a clock: there may be counters, but no times
  unrecorded,  ///< from a real run that did not record the time of this work
};

/// Whether the trace has a time for this slice. Start and duration 0 mean that it has none, as in the reader.
bool has_time(const Trace& trace, SliceId slice);

/// Returns `timed` for a walk without GPU work, because such a walk covers only the CPU.
TimeRecord time_record_of(const Trace& trace, const Walk& walk);
inline bool is_untimed(const Trace& trace, const Walk& walk) {
  return time_record_of(trace, walk) != TimeRecord::timed;
}

}  // namespace warpwalk::analysis
