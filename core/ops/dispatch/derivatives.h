#pragma once

#include <string_view>
#include <vector>

#include "core/ops/dispatch/autograd.h"

namespace warpwalk::ops {

/// What autograd knows of one op. Formulas are those of PyTorch's tools/autograd/derivatives.yaml.
struct Derivative {
  std::string_view op;
  std::string_view node;            ///< "MmBackward0"
  std::string_view keeps;           ///< for people: what the node saves, empty where nothing
  std::vector<std::size_t> inputs;  ///< arguments with a gradient: a row of Node::next each (numbers have none)
  /// Before the op ran: saves what the formula needs into node.saved, and gives the formula.
  Backward (*record)(const Call& call, Node& node) = nullptr;
  bool saves_result = false;  ///< the result is saved last, once there
  enum class Kind : std::uint8_t { plain, view, in_place } kind = Kind::plain;
  /// In place: the gradient of the other input needs what self was before.
  bool needs_old_self = false;
};

std::vector<Derivative> elementwise_derivatives();
std::vector<Derivative> product_derivatives();
std::vector<Derivative> view_derivatives();
std::vector<Derivative> copy_derivatives();

/// A gradient is wanted for this input.
inline bool wanted(const Node& node, std::size_t input) { return node.next[input].node != nullptr; }
/// Saves an argument where it is a tensor and is needed; else keeps the place, so that the others stay in theirs.
void save(Node& node, const Call& call, std::size_t argument, bool needed);

}  // namespace warpwalk::ops
