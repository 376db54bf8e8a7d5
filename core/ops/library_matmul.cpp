// aten::matmul: which product it is depends on the number of dimensions, as in PyTorch (torch.matmul's documentation).
#include <fmt/format.h>

#include "core/ops/autograd.h"
#include "core/ops/library_parts.h"

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
        shape_text(of_a), shape_text(of_b), of_a.back(), of_b.size() == 1 ? "size" : "last but one", inner));
}

// A batch of matrices times one matrix (or vector) is one product of all rows, where that needs no copy, or where a
// copy is cheaper than a gradient of the second for each matrix of the batch (PyTorch's should_fold).
bool folds(const Tensor& a, const Tensor& b) {
  if (a.sizes().size() < 3 || b.sizes().size() > 2) return false;
  if (requires_grad(b) || a.count() == 0) return true;
  const Sizes &sizes = a.sizes(), &strides = a.strides();
  for (std::size_t d = 0; d + 2 < sizes.size(); ++d)
    if (strides[d] != strides[d + 1] * sizes[d + 1]) return false;
  return true;
}

Tensor folded(Dispatcher& dispatcher, const Tensor& a, const Tensor& b) {
  Sizes result(a.sizes().begin(), a.sizes().end() - 1);
  const bool vector = b.sizes().size() == 1;
  const Tensor rows = dispatcher.call("aten::reshape", {a, Sizes{count_of(result), a.sizes().back()}});
  if (!vector) result.push_back(b.sizes()[1]);
  return dispatcher.call("aten::_unsafe_view",
                         {dispatcher.call(vector ? "aten::mv" : "aten::mm", {rows, b}), std::move(result)});
}

// Both expanded to the batch that they have in common, which becomes one dimension.
Tensor batched(Dispatcher& dispatcher, const Tensor& a, const Tensor& b) {
  const Tensor left = a.sizes().size() == 1 ? dispatcher.call("aten::unsqueeze", {a, std::int64_t{0}}) : a;
  const Tensor right = b.sizes().size() == 1 ? dispatcher.call("aten::unsqueeze", {b, std::int64_t{1}}) : b;
  const Sizes batch = broadcast(batch_of(left.sizes()), batch_of(right.sizes()));
  const auto stacked = [&](const Tensor& tensor) {
    const std::int64_t rows = *(tensor.sizes().end() - 2), columns = tensor.sizes().back();
    Sizes sizes = batch;
    sizes.insert(sizes.end(), {rows, columns});
    const Tensor expanded = dispatcher.call("aten::expand", {tensor, std::move(sizes)});
    return dispatcher.call("aten::reshape", {expanded, Sizes{count_of(batch), rows, columns}});
  };
  const Tensor product = dispatcher.call("aten::bmm", {stacked(left), stacked(right)});
  Sizes result = batch;
  if (a.sizes().size() > 1) result.push_back(product.sizes()[1]);
  if (b.sizes().size() > 1) result.push_back(product.sizes()[2]);
  return dispatcher.call("aten::_unsafe_view", {product, std::move(result)});
}

Tensor matmul(Dispatcher& dispatcher, const Call& call) {
  const Tensor &a = call.tensor(0), &b = call.tensor(1);
  check(call, a, b);
  const std::size_t of_a = a.sizes().size(), of_b = b.sizes().size();
  if (of_a == 1 && of_b == 1) return dispatcher.call("aten::dot", {a, b});
  if (of_a == 2 && of_b == 1) return dispatcher.call("aten::mv", {a, b});
  if (of_a == 2 && of_b == 2) return dispatcher.call("aten::mm", {a, b});
  if (of_a == 1 && of_b == 2) {
    const Tensor row = dispatcher.call("aten::unsqueeze", {a, std::int64_t{0}});
    return dispatcher.call("aten::squeeze.dim", {dispatcher.call("aten::mm", {row, b}), std::int64_t{0}});
  }
  return folds(a, b) ? folded(dispatcher, a, b) : batched(dispatcher, a, b);
}

}  // namespace

void register_matmul(Dispatcher& dispatcher) {
  dispatcher.add_composite("aten::matmul", "dot, mv, mm or bmm, by dimensions", matmul);
}

}  // namespace warpwalk::ops
