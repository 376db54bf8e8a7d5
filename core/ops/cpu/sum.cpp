#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/ops/cpu/functions.h"
#include "core/ops/cpu/tensor.h"

namespace warpwalk::ops {
namespace {

/// Sums over the dimensions that `over` marks into a new tensor.
Tensor summed(Dispatcher& dispatcher, const Call& call, const std::vector<bool>& over, bool keep, DType dtype) {
  const Tensor& self = call.tensor(0);
  Sizes kept, sizes;
  for (std::size_t d = 0; d < over.size(); ++d) {
    kept.push_back(over[d] ? 1 : self.sizes()[d]);
    if (!over[d] || keep) sizes.push_back(kept.back());
  }
  const Tensor out = new_cpu_tensor(dispatcher, sizes, dtype);
  const Tensor in = as_dtype(dispatcher, self, dtype);
  Sizes strides = row_major(kept);
  for (std::size_t d = 0; d < over.size(); ++d)
    if (over[d]) strides[d] = 0;
  with_instance(dispatcher, call, dtype, [&](auto type) {
    using T = typename decltype(type)::type;
    using Sum = SumOf<T>;
    std::vector<Sum> sums(static_cast<std::size_t>(out.count()), Sum{});
    const T* const from = elements<T>(in);
    ElementWalk<2>(in.sizes(), {&in.strides(), &strides})
        .rows([&](const auto& at, const auto& step, std::int64_t count) {
          Sum* const to = sums.data() + at[1];
          const T* const row = from + at[0];
          for (std::int64_t i = 0; i < count; ++i) to[i * step[1]] += static_cast<Sum>(widened(row[i * step[0]]));
        });
    std::transform(sums.begin(), sums.end(), elements<T>(out), from_sum<T>);
  });
  return out;
}

/// The result's type: the requested one, or else i64 for integers.
DType sum_dtype(const Call& call) {
  if (call.given(3)) return call.dtype(3);
  const DType dtype = call.tensor(0).dtype();
  return is_float(dtype) ? dtype : DType::i64;
}

}  // namespace

Tensor cpu_sum(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  const std::size_t dims = self.sizes().size();
  // No dimensions given, or a list of none, means all: so it is in PyTorch.
  const Sizes list = call.given(1) ? call.sizes(1) : Sizes{};
  std::vector<bool> over(std::max<std::size_t>(dims, 1), list.empty());
  for (const std::int64_t dim : list) {
    const std::size_t d = wrapped_dim(dim, over.size());
    if (over[d]) throw OpError(fmt::format("{}: dimension {} is named twice", call.name(), d));
    over[d] = true;
  }
  over.resize(dims);
  return summed(dispatcher, call, over, call.flag(2), sum_dtype(call));
}

}  // namespace warpwalk::ops
