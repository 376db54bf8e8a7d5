// Copies, casts and fills.
#include "core/ops/dispatch/derivatives.h"

namespace warpwalk::ops {
namespace {

using Gradients = std::vector<Tensor>;
constexpr Derivative::Kind in_place = Derivative::Kind::in_place;

// A cast's gradient is cast back by the engine, as every gradient is to the type of the tensor that it belongs to.
Backward same(const Call&, Node&) {
  return [](Dispatcher&, const Node&, const Tensor& g) { return Gradients{g}; };
}

Backward overwritten(const Call&, Node&) {
  return [](Dispatcher& d, const Node&, const Tensor& g) { return Gradients{d.call("aten::zeros_like", {g})}; };
}

// Nothing is left of what self was.
Backward copy(const Call&, Node&) {
  return [](Dispatcher& d, const Node& node, const Tensor& g) {
    return Gradients{wanted(node, 0) ? d.call("aten::zeros_like", {g}) : Tensor(), wanted(node, 1) ? g : Tensor()};
  };
}

}  // namespace

std::vector<Derivative> copy_derivatives() {
  return {
      {"aten::clone", "CloneBackward0", "", {0}, same},
      {"aten::_to_copy", "ToCopyBackward0", "", {0}, same},
      {"aten::copy_", "torch::autograd::CopyBackwards", "", {0, 1}, copy, false, in_place},
      {"aten::fill_.Scalar", "FillBackward2", "", {0}, overwritten, false, in_place},
      {"aten::zero_", "ZeroBackward0", "", {0}, overwritten, false, in_place},
  };
}

}  // namespace warpwalk::ops
