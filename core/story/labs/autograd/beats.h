#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Autograd on small tensors: the tape of an expression, the way back node by node, the vector-Jacobian product and the
/// Jacobian of a node beside finite differences, leaves and .grad, and the version counters that guard saved tensors.
/// Everything is run by the op library of core/ops. Starts with the walk's expression, if it was run with gradients.
/// Controls: expression (text), example, step, seed, argument, size, frozen, mode, rounds, write, how, and, set by
/// pointing, node.
std::vector<Beat> autograd_beats(const Trace& trace, const Walk& walk);
Stage autograd_lab(const SceneInput& input);

/// The text control of the lab.
constexpr TextControl autograd_text = {"expression", 120};

}  // namespace warpwalk::story
