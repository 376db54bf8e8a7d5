#pragma once

// The settings of the lab "forward-pass", and its pictures.
#include "core/analysis/memory/tensor_layout.h"
#include "core/story/labs/forward_pass/linear_call.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// What a beat says of the settings.
struct ForwardPassStart {
  bool pointed = false;  ///< a frame is chosen by pointing at it
};

/// The chosen call of a Linear layer in the trace.
struct ForwardPass {
  static constexpr std::string_view name = "lab/forward-pass";

  const SceneInput& input;
  ControlSet controls{input, name};
  std::vector<SliceId> ops;  ///< all calls
  LinearCall call;
  std::size_t frame = 0;  ///< that is followed
  bool pointed;           ///< a frame is chosen by pointing at it

  ForwardPass(const SceneInput& in, const ForwardPassStart& start);

  bool empty() const { return ops.empty(); }
  const CallFrame& followed() const { return call.tree.frames[frame]; }
  std::int64_t start() const { return input.trace.slices.start[call.tree.root]; }
  std::int64_t cpu() const { return input.trace.slices.duration[call.tree.root]; }
  std::int64_t gpu() const { return gpu_time(input.trace, call.tree); }
  /// The call that starts the longest work on the GPU; no_slice if there is none.
  SliceId launch() const;
  /// ns from the beginning of the call to that launch; 0 without one.
  std::int64_t before_launch() const;
  /// "Linear_0", or the words for a layer without a name.
  std::string layer() const;
  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  std::string frame_name(const CallFrame& frame) const;
  /// The purpose of a frame, in a few words ("short") or in a sentence ("long").
  std::string frame_words(const CallFrame& frame, std::string_view length) const;
  /// x, W and b of the call, as far as their shapes are recorded.
  std::vector<analysis::Tensor> tensors() const { return analysis::tensors_of(input.trace, call.op); }
};

/// Frames by level and depth over time, and below them the GPU. `shown`: how much of the time has passed, 0 to 1.
Panel frames_timeline(const ForwardPass& lab, double shown);
/// Each frame with its own time and what it does; at most `most` around the followed one.
Panel frames_table(const ForwardPass& lab, std::size_t most);
/// x, the transposed weight and the result as grids; `at`: 0 to 1 over the result's elements.
std::vector<Panel> shape_panels(const ForwardPass& lab, double at);
/// The tensors with shapes and strides.
Panel tensors_table(const ForwardPass& lab);
/// The own times of the levels one after the other, and the GPU's time.
Panel levels_timeline(const ForwardPass& lab);
Panel levels_table(const ForwardPass& lab);
/// Each launch with its work on the GPU.
Panel launches_timeline(const ForwardPass& lab, double shown);
Panel kernels_table(const ForwardPass& lab);
/// The forward call and the nodes of its backward pass, each from its own beginning.
Panel backward_timeline(const ForwardPass& lab);
/// The products and sums of both passes.
Panel backward_table(const ForwardPass& lab);

}  // namespace warpwalk::story
