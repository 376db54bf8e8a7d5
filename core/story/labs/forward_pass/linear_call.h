#pragma once

// Calls of aten::linear in a trace: what surrounds one, what is inside it, and its backward pass.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::story {

/// The level of the software that a frame belongs to.
enum class Level : std::uint8_t { python, pytorch, cuda };

/// A Python frame, an op or a CUDA call inside a call.
struct CallFrame {
  trace::SliceId slice = trace::no_slice;
  std::size_t depth = 0;  ///< 0: the call itself
  std::int64_t own = 0;   ///< ns without the frames inside it
  Level level = Level::python;
  std::string_view what;  ///< what it does: a key of the lab's words, "binding"
};

/// A kernel, copy or fill, and the call that started it.
struct StartedWork {
  trace::SliceId launch = trace::no_slice;
  trace::SliceId work = trace::no_slice;
};

/// One call on one thread: of a Linear layer, or a part of its backward pass.
struct CallTree {
  trace::SliceId root = trace::no_slice;
  std::vector<CallFrame> frames;     ///< from the outermost one, in the order in which they begin
  std::vector<StartedWork> started;  ///< by launch
  bool cut = false;                  ///< there are more than max_frames
  static constexpr std::size_t max_frames = 400;
};

/// A call of aten::linear.
struct LinearCall {
  trace::SliceId op = trace::no_slice;  ///< aten::linear
  std::string layer;                    ///< "Linear_0"; empty if the trace has no frame of the module
  int number = 1;                       ///< of this layer's calls, from 1
  CallTree tree;                        ///< from the module's frame, else from F.linear, else from the op
  std::vector<CallTree> backward;       ///< of the autograd nodes that the call made, in the order in which they ran
};

/// The ops named aten::linear that have a duration, by start, at most max_linear_ops.
std::vector<trace::SliceId> linear_ops(const trace::Trace& trace);
constexpr std::size_t max_linear_ops = 1000;

/// The frames and the GPU work inside a slice.
CallTree tree_of(const trace::Trace& trace, trace::SliceId root);
LinearCall linear_call(const trace::Trace& trace, const std::vector<trace::SliceId>& ops, std::size_t number);

/// The sum of the frames' own times at a level, in ns.
std::int64_t own_time(const CallTree& tree, Level level);
/// The sum of the durations of the GPU work, in ns.
std::int64_t gpu_time(const trace::Trace& trace, const CallTree& tree);
/// The GPU work that takes longest; null if there is none.
const StartedWork* longest_work(const trace::Trace& trace, const CallTree& tree);
/// ns between two moments (since the trace's base) in which at least one kernel, copy or fill runs on any GPU.
std::int64_t gpu_busy(const trace::Trace& trace, std::int64_t from, std::int64_t to);

/// Whether a kernel multiplies on Tensor Cores, as far as its name says.
enum class TensorCores : std::uint8_t { yes, no, not_a_product, unknown };
TensorCores tensor_cores_of(std::string_view kernel_name);

}  // namespace warpwalk::story
