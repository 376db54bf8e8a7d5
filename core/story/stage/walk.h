#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::story {

using trace::no_slice;
using trace::SliceId;
using trace::Trace;

/// What is followed through all scenes. Any of them can be missing, since a trace can lack it.
struct Walk {
  SliceId op = no_slice;      ///< the op the person chose, or the innermost one around the launch
  SliceId kernel = no_slice;  ///< kernel, copy or set on the GPU: the longest that the op started
  SliceId launch = no_slice;  ///< the call that started it
  /// From the outermost op around `op` down to the innermost op around the launch (or to `op`, without one).
  std::vector<SliceId> ops;
  /// Python frames around the outermost op, the outermost first.
  std::vector<SliceId> frames;
  /// How much GPU work the op started in all.
  std::size_t gpu_pieces = 0;

  bool empty() const { return op == no_slice && kernel == no_slice; }
  friend bool operator==(const Walk&, const Walk&) = default;
};

/// The op with the most GPU time, its nested ops included (the outermost of equals); without GPU work the longest op;
/// without ops the longest kernel.
Walk default_walk(const Trace& trace);
/// `what` is "op:N" or "kernel:N", N counted from 0 in the order of start, or "launch:N", N counted from 0 by thread
/// and start over all calls and what they started (copies and fills too). On failure: one line, what is wrong and what
/// there is.
std::pair<Walk, std::optional<std::string>> follow(const Trace& trace, std::string_view what);
Walk follow_op(const Trace& trace, SliceId op);
Walk follow_gpu_work(const Trace& trace, SliceId kernel);

/// GPU time in ns of each slice's calls and of all that is nested in it, by SliceId.
std::vector<std::int64_t> gpu_time_by_slice(const Trace& trace);

/// The number of this op or kernel, as in op:N and kernel:N.
std::size_t number_of(const Trace& trace, SliceId slice);
/// How follow() names an op or a piece of GPU work: op:N, kernel:N, or launch:N for copies and fills; empty for what it
/// cannot name.
std::string follow_name(const Trace& trace, SliceId slice);

}  // namespace warpwalk::story
