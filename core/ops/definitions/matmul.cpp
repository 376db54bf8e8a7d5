// aten::matmul: which product it is depends on the number of dimensions, as in PyTorch (torch.matmul's documentation).
#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/dispatch/autograd.h"

namespace warpwalk::ops {
namespace {

Sizes batch_of(const Sizes& sizes) { return sizes.size() <= 2 ? Sizes() : Sizes(sizes.begin(), sizes.end() - 2); }

void check(const Call& call, const Tensor& a, const Tensor& b) {
  const Sizes &of_a = a.sizes(), &of_b = b.sizes();
  if (of_a.empty() || of_b.empty())
    throw OpError(fmt::format("{}: {} @ {}: both need at least one dimension; * multiplies by a scalar", call.name(),
                              shape_text(of_a), shape_text(of_b)));
  const std::int64_t inner = of_b.size() == 1 ? of_b[0] : of_b[of_b.size() - 2];
  if (of_a.back() != inner)
    throw OpError(fmt::format(
        "{}: {} @ {}: the last size of the first ({}) and the {} of the second ({}) must be equal", call.name(),
        shape_text(of_a), shape_text(of_b), of_a.back(), of_b.size() == 1 ? "size" : "second-to-last size", inner));
}

Tensor transposed_matrices(Dispatcher& dispatcher, const Tensor& tensor) {
  return dispatcher.call("aten::transpose.int", {tensor, std::int64_t{-2}, std::int64_t{-1}});
}

// Whether to compute the product of a batch of matrices and one matrix (or vector) as a single product of all rows: if
// that needs no copy, or if a copy is cheaper than one gradient of the single matrix per matrix of the batch (PyTorch's
// should_fold). A batch on the right is transposed first, and the result is transposed back.
bool folds(const Tensor& a, const Tensor& b) {
  const bool left = a.sizes().size() >= b.sizes().size();
  const Tensor &batch = left ? a : b, &one = left ? b : a;
  const std::size_t dims = batch.sizes().size();
  if (dims < 3 || one.sizes().size() > 2) return false;
  if (requires_grad(one)) return true;
  if (a.sizes().size() == 2) return false;
  if (batch.count() == 0) return true;
  const Geometry g = left ? batch.geometry() : transposed(batch.geometry(), -2, -1);
  for (std::size_t d = 0; d + 2 < dims; ++d)
    if (g.strides[d] != g.strides[d + 1] * g.sizes[d + 1]) return false;
  return true;
}

Tensor folded(Dispatcher& dispatcher, const Tensor& a, const Tensor& b) {
  const bool left = a.sizes().size() >= b.sizes().size();
  const Tensor batch = left ? a : transposed_matrices(dispatcher, b);
  const bool vector = (left ? b : a).sizes().size() == 1;
  const Tensor one = left ? b : vector ? a : dispatcher.call("aten::t", {a});
  Sizes result(batch.sizes().begin(), batch.sizes().end() - 1);
  const Tensor rows = dispatcher.call("aten::reshape", {batch, Sizes{count_of(result), batch.sizes().back()}});
  if (!vector) result.push_back(one.sizes()[1]);
  const Tensor product = dispatcher.call(vector ? "aten::mv" : "aten::mm", {rows, one});
  const Tensor out = dispatcher.call("aten::_unsafe_view", {product, std::move(result)});
  return left || vector ? out : dispatcher.call("aten::contiguous", {transposed_matrices(dispatcher, out)});
}

// Both expanded to the batch that they have in common, which becomes one dimension.
Tensor batched(Dispatcher& dispatcher, const Tensor& a, const Tensor& b) {
  const Sizes batch = broadcast(batch_of(a.sizes()), batch_of(b.sizes()));
  const auto stacked = [&](const Tensor& tensor, const Sizes& matrix) {
    Sizes sizes = batch, flat = {count_of(batch)};
    sizes.insert(sizes.end(), matrix.begin(), matrix.end());
    flat.insert(flat.end(), matrix.begin(), matrix.end());
    const Tensor expanded = dispatcher.call("aten::expand", {tensor, std::move(sizes)});
    return dispatcher.call("aten::reshape", {expanded, std::move(flat)});
  };
  const bool row = a.sizes().size() == 1, column = b.sizes().size() == 1;
  const std::int64_t inner = a.sizes().back();
  const std::int64_t rows = row ? 1 : *(a.sizes().end() - 2);
  const Tensor left = stacked(a, {rows, inner});
  const Tensor right = column ? dispatcher.call("aten::unsqueeze", {stacked(b, {inner}), std::int64_t{2}})
                              : stacked(b, {inner, b.sizes().back()});
  Tensor product = dispatcher.call("aten::bmm", {left, right});
  if (column) product = dispatcher.call("aten::squeeze.dim", {product, std::int64_t{-1}});
  Sizes result = batch;
  if (!row) result.push_back(rows);
  if (!column) result.push_back(b.sizes().back());
  return dispatcher.call("aten::_unsafe_view", {product, std::move(result)});
}

Tensor product_of(Dispatcher& dispatcher, const Tensor& a, const Tensor& b) {
  const std::size_t of_a = a.sizes().size(), of_b = b.sizes().size();
  if (of_a == 1 && of_b == 1) return dispatcher.call("aten::dot", {a, b});
  if (of_a == 2 && of_b == 1) return dispatcher.call("aten::mv", {a, b});
  if (of_a == 2 && of_b == 2) return dispatcher.call("aten::mm", {a, b});
  if (of_a == 1 && of_b == 2) {
    const Tensor row = dispatcher.call("aten::unsqueeze", {a, std::int64_t{0}});
    return dispatcher.call("aten::squeeze.dim", {dispatcher.call("aten::mm", {row, b}), std::int64_t{0}});
  }
  if (folds(a, b)) return folded(dispatcher, a, b);
  // A batch of one with a gradient is folded rather than expanded, for the same reason.
  if (of_a == 3 && of_b == 3 && a.sizes()[0] != b.sizes()[0]) {
    const auto matrix = [&](const Tensor& batch) {
      return dispatcher.call("aten::squeeze.dim", {batch, std::int64_t{0}});
    };
    if (a.sizes()[0] == 1 && requires_grad(a)) return product_of(dispatcher, matrix(a), b);
    if (b.sizes()[0] == 1 && requires_grad(b)) return product_of(dispatcher, a, matrix(b));
  }
  return batched(dispatcher, a, b);
}

Tensor matmul(Dispatcher& dispatcher, const Call& call) {
  const Tensor &a = call.tensor(0), &b = call.tensor(1);
  check(call, a, b);
  return product_of(dispatcher, a, b);
}

}  // namespace

OpFamily matmul_family() {
  return {.ops = {{.name = "aten::matmul",
                   .schema = "matmul(Tensor self, Tensor other) -> Tensor",
                   .by = OpDefinition::ComputedBy::implicit_composite,
                   .how = "dot, mv, mm or bmm, by dimensions",
                   .function = matmul,
                   .autocast = Autocast::low_precision}}};
}

}  // namespace warpwalk::ops
