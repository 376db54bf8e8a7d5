#pragma once

#include <string_view>
#include <vector>

#include "core/ops/dispatch/autograd.h"

namespace warpwalk::ops {

/// Autograd's description of one op. The formulas are those of PyTorch's tools/autograd/derivatives.yaml.
struct Derivative {
  std::string_view node;            ///< "MmBackward0"
  std::string_view keeps;           ///< what the node saves, as shown to people; empty: nothing
  std::vector<std::size_t> inputs;  ///< arguments with a gradient, one row of Node::next each (numbers have none)
  /// Called before the op runs: saves what the formula needs into node.saved, and returns the formula.
  Backward (*record)(const Call& call, Node& node) = nullptr;
  bool saves_result = false;  ///< the result is saved too, after the op has run, as the last of node.saved
  enum class Kind : std::uint8_t { plain, view, in_place } kind = Kind::plain;
  /// In place: the gradient of the other input needs what self was before.
  bool needs_old_self = false;
};

/// One gradient for each of Derivative::inputs.
using Gradients = std::vector<Tensor>;

/// A gradient is wanted for this input.
inline bool wanted(const Node& node, std::size_t input) { return node.next[input].node != nullptr; }
/// Saves an argument if it is a tensor and needed. Otherwise adds an empty entry, so that positions stay the same.
void save(Node& node, const Call& call, std::size_t argument, bool needed);

}  // namespace warpwalk::ops
