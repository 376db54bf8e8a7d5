#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// A call of a Linear layer frame by frame, from nn.Module down to the kernels and back, and its backward pass. Starts
/// with the call around the followed work, else with the trace's first one. Controls: call (number of the call), and,
/// set by pointing, frame.
std::vector<Beat> forward_pass_beats(const Trace& trace, const Walk& walk);
Stage forward_pass(const SceneInput& input);

}  // namespace warpwalk::story
