#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// A call on its way through PyTorch's dispatcher: the Python binding, the set of keys bit by bit, the table, the call
/// of warpwalk's own dispatcher, the choice by element type, and where each part lies in PyTorch's tree. Controls: op,
/// arguments (the Python call), device, layout, dtype, grad (requires_grad), mode, and, set by pointing, bit.
std::vector<Beat> dispatch_beats(const Trace& trace, const Walk& walk);
Stage dispatch_lab(const SceneInput& input);

}  // namespace warpwalk::story
