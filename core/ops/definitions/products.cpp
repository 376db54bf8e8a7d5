// Products of matrices and vectors.
#include <algorithm>

#include "core/ops/cpu/functions.h"
#include "core/ops/definitions/all_definitions.h"

namespace warpwalk::ops {
namespace {

// Each input is needed for the gradient of the other.
void save_both(const Call& call, Node& node) {
  save(node, call, 0, wanted(node, 1));
  save(node, call, 1, wanted(node, 0));
}

Tensor t(Dispatcher& d, const Tensor& matrix) { return d.call("aten::t", {matrix}); }
Tensor batch_t(Dispatcher& d, const Tensor& batch) {
  return d.call("aten::transpose.int", {batch, std::int64_t{1}, std::int64_t{2}});
}

Backward mm_backward(const Call& call, Node& node) {
  save_both(call, node);
  return [](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 1)) out[1] = d.call("aten::mm", {t(d, n.saved[0].use(n)), g});
    if (wanted(n, 0)) out[0] = d.call("aten::mm", {g, t(d, n.saved[1].use(n))});
    return out;
  };
}

Backward bmm_backward(const Call& call, Node& node) {
  save_both(call, node);
  return [](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 1)) out[1] = d.call("aten::bmm", {batch_t(d, n.saved[0].use(n)), g});
    if (wanted(n, 0)) out[0] = d.call("aten::bmm", {g, batch_t(d, n.saved[1].use(n))});
    return out;
  };
}

Backward mv_backward(const Call& call, Node& node) {
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

Backward dot_backward(const Call& call, Node& node) {
  save_both(call, node);
  return [](Dispatcher& d, const Node& n, const Tensor& g) {
    Gradients out(2);
    if (wanted(n, 0)) out[0] = d.call("aten::mul.Tensor", {g, n.saved[1].use(n)});
    if (wanted(n, 1)) out[1] = d.call("aten::mul.Tensor", {g, n.saved[0].use(n)});
    return out;
  };
}

// The size that both have and the result has not.
std::int64_t product_terms(std::span<const Argument> arguments, std::int64_t results) {
  const auto* const first = arguments.empty() ? nullptr : std::get_if<Tensor>(&arguments.front());
  if (first == nullptr || !first->defined() || results == 0) return 1;
  return std::max<std::int64_t>(1, first->sizes().back());
}

}  // namespace

OpFamily products() {
  constexpr Accuracy sums = {.kind = Accuracy::Kind::sums, .terms = product_terms};
  return {.ops = {
              {.name = "aten::mm",
               .schema = "mm(Tensor self, Tensor mat2) -> Tensor",
               .how = "cpu loops: mm, sums in double",
               .function = cpu_mm,
               .derivative = Derivative{"MmBackward0", "self, mat2", {0, 1}, mm_backward},
               .autocast = Autocast::low_precision,
               .accuracy = sums,
               .gpu = {.form = GpuKernel::Form::matrices, .module = "mm"}},
              {.name = "aten::bmm",
               .schema = "bmm(Tensor self, Tensor mat2) -> Tensor",
               .how = "cpu loops: bmm, sums in double",
               .function = cpu_bmm,
               .derivative = Derivative{"BmmBackward0", "self, mat2", {0, 1}, bmm_backward},
               .autocast = Autocast::low_precision,
               .accuracy = sums,
               .gpu = {.form = GpuKernel::Form::matrices, .module = "mm"}},
              {.name = "aten::mv",
               .schema = "mv(Tensor self, Tensor vec) -> Tensor",
               .how = "cpu loops: mv, sums in double",
               .function = cpu_mv,
               .derivative = Derivative{"MvBackward0", "self, vec", {0, 1}, mv_backward},
               .autocast = Autocast::low_precision,
               .accuracy = sums,
               .gpu = {.form = GpuKernel::Form::vectors, .module = "mv"}},
              {.name = "aten::dot",
               .schema = "dot(Tensor self, Tensor tensor) -> Tensor",
               .how = "cpu loop: dot, sum in double",
               .function = cpu_dot,
               .derivative = Derivative{"DotBackward0", "self, tensor", {0, 1}, dot_backward},
               .autocast = Autocast::widest,
               .accuracy = sums,
               .gpu = {.form = GpuKernel::Form::vectors, .module = "mv"}},
          }};
}

}  // namespace warpwalk::ops
