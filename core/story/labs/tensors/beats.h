#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// A tensor over its storage: the place of an element, views, contiguity, chains of steps that give a view or a copy,
/// the cost for a warp to read a view, and device, layout and dtype. Controls: tensor, step1 to step3, stride and width
/// (of a warp's read), device, layout, dtype, nonzeros, and, set by pointing, element and entry (of the sparse matrix).
std::vector<Beat> tensors_beats(const Trace& trace, const Walk& walk);
Stage tensors(const SceneInput& input);

}  // namespace warpwalk::story
