// Matrix products and sums.
#include "core/ops/dispatch/derivatives.h"

namespace warpwalk::ops {
namespace {

using Gradients = std::vector<Tensor>;

// Each input is needed for the gradient of the other.
void save_both(const Call& call, Node& node) {
  save(node, call, 0, wanted(node, 1));
  save(node, call, 1, wanted(node, 0));
}

Tensor t(Dispatcher& d, const Tensor& matrix) { return d.call("aten::t", {matrix}); }
Tensor batch_t(Dispatcher& d, const Tensor& batch) {
  return d.call("aten::transpose.int", {batch, std::int64_t{1}, std::int64_t{2}});
}

Backward mm(const Call& call, Node& node) {
  save_both(call, node);
  return [](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 1)) out[1] = d.call("aten::mm", {t(d, n.saved[0].use(n)), g});
    if (wanted(n, 0)) out[0] = d.call("aten::mm", {g, t(d, n.saved[1].use(n))});
    return out;
  };
}

Backward bmm(const Call& call, Node& node) {
  save_both(call, node);
  return [](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 1)) out[1] = d.call("aten::bmm", {batch_t(d, n.saved[0].use(n)), g});
    if (wanted(n, 0)) out[0] = d.call("aten::bmm", {g, batch_t(d, n.saved[1].use(n))});
    return out;
  };
}

Backward mv(const Call& call, Node& node) {
  save_both(call, node);
  return [](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 0)) {  // the outer product
      const Tensor column = d.call("aten::unsqueeze", {g, std::int64_t{1}});
      out[0] = d.call("aten::mul.Tensor", {column, n.saved[1].use(n)});
    }
    if (wanted(n, 1)) out[1] = d.call("aten::mv", {t(d, n.saved[0].use(n)), g});
    return out;
  };
}

Backward dot(const Call& call, Node& node) {
  save_both(call, node);
  return [](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 0)) out[0] = d.call("aten::mul.Tensor", {g, n.saved[1].use(n)});
    if (wanted(n, 1)) out[1] = d.call("aten::mul.Tensor", {g, n.saved[0].use(n)});
    return out;
  };
}

Backward sum(const Call& call, Node&) {
  return [sizes = call.tensor(0).sizes()](Dispatcher& d, const Node&, const Tensor& g) {
    return Gradients{d.call("aten::expand", {g, sizes})};
  };
}

// The dimensions that were summed away come back with size 1, lowest first.
Backward sum_dim(const Call& call, Node&) {
  const Sizes sizes = call.tensor(0).sizes();
  std::vector<bool> gone(sizes.size());
  // A scalar takes dim 0 and -1, and has none that could go.
  if (call.given(1) && !call.flag(2) && !sizes.empty())
    for (const std::int64_t dim : call.sizes(1)) gone[wrapped_dim(dim, sizes.size())] = true;
  return [sizes, gone](Dispatcher& d, const Node&, const Tensor& g) {
    Tensor whole = g;
    for (std::size_t dim = 0; dim < gone.size(); ++dim)
      if (gone[dim]) whole = d.call("aten::unsqueeze", {whole, static_cast<std::int64_t>(dim)});
    return Gradients{d.call("aten::expand", {whole, sizes})};
  };
}

}  // namespace

std::vector<Derivative> product_derivatives() {
  return {
      {"aten::mm", "MmBackward0", "self, mat2", {0, 1}, mm},
      {"aten::bmm", "BmmBackward0", "self, mat2", {0, 1}, bmm},
      {"aten::mv", "MvBackward0", "self, vec", {0, 1}, mv},
      {"aten::dot", "DotBackward0", "self, tensor", {0, 1}, dot},
      {"aten::sum", "SumBackward0", "", {0}, sum},
      {"aten::sum.dim_IntList", "SumBackward1", "", {0}, sum_dim},
  };
}

}  // namespace warpwalk::ops
