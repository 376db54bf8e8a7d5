#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// How the whole trace spends its time: the bottleneck, kernels and ops by cost, launches over time, the critical path,
/// a comparison of steps, and the differences from a second trace (SceneInput::compared). A click on a row follows its
/// op or work in the boardroom. Controls: step (0: the whole trace), list (order of the critical path), sort (order of
/// the kernels).
std::vector<Beat> overview_beats(const Trace& trace, const Walk& walk);
Stage overview_lab(const SceneInput& input);

}  // namespace warpwalk::story
