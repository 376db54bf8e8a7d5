#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "core/ops/cpu/functions.h"
#include "core/ops/cpu/tensor.h"

namespace warpwalk::ops {
namespace {

/// The elements in row-major order, in the type that products are added up in.
template <class T>
std::vector<SumOf<T>> gathered(const Tensor& tensor) {
  std::vector<SumOf<T>> values(static_cast<std::size_t>(tensor.count()));
  const T* const first = elements<T>(tensor);
  SumOf<T>* next = values.data();
  ElementWalk<1>(tensor.sizes(), {&tensor.strides()}).rows([&](const auto& at, const auto& step, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) *next++ = static_cast<SumOf<T>>(widened(first[at[0] + i * step[0]]));
  });
  return values;
}

struct Extents {
  std::size_t m, n, k;
};

/// out (m x n) = a (m x k) @ b (k x n), all row-major. Each element is one sum over k from 0 up, however the work is
/// cut: tiles of out that fit registers, over so many rows of b at a time that a column of tiles keeps them in the
/// cache.
template <class Sum>
void multiply(const Sum* a, const Sum* b, Sum* out, Extents e) {
  constexpr std::size_t rows = 4, columns = 4, depth = 256;
  std::fill_n(out, e.m * e.n, Sum{});
  const auto any = [&](std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end, std::size_t k,
                       std::size_t k_end) {
    for (; i < i_end; ++i)
      for (std::size_t p = k; p < k_end; ++p)
        for (std::size_t q = j; q < j_end; ++q) out[i * e.n + q] += a[i * e.k + p] * b[p * e.n + q];
  };
  for (std::size_t k = 0; k < e.k; k += depth) {
    const std::size_t k_end = std::min(k + depth, e.k);
    const std::size_t whole_j = e.n / columns * columns, whole_i = e.m / rows * rows;
    for (std::size_t j = 0; j < whole_j; j += columns)
      for (std::size_t i = 0; i < whole_i; i += rows) {
        std::array<std::array<Sum, columns>, rows> tile;
        for (std::size_t r = 0; r < rows; ++r) std::copy_n(out + (i + r) * e.n + j, columns, tile[r].data());
        for (std::size_t p = k; p < k_end; ++p)
          for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < columns; ++c) tile[r][c] += a[(i + r) * e.k + p] * b[p * e.n + j + c];
        for (std::size_t r = 0; r < rows; ++r) std::copy_n(tile[r].data(), columns, out + (i + r) * e.n + j);
      }
    any(0, whole_i, whole_j, e.n, k, k_end);
    any(whole_i, e.m, 0, e.n, k, k_end);
  }
}

/// A batch of products, rounded once into a new tensor of these sizes.
Tensor matrix_product(Dispatcher& dispatcher, const Call& call, std::size_t batch, Extents e, const Sizes& sizes) {
  const Tensor &a = call.tensor(0), &b = call.tensor(1);
  if (a.dtype() != b.dtype())
    throw OpError(fmt::format("{} of {} and {}: both must have the same type; convert one of them", call.name(),
                              name_of(a.dtype()), name_of(b.dtype())));
  const Tensor out = new_cpu_tensor(dispatcher, sizes, a.dtype());
  with_instance(dispatcher, call, a.dtype(), [&](auto type) {
    using T = typename decltype(type)::type;
    const std::vector<SumOf<T>> all_a = gathered<T>(a), all_b = gathered<T>(b);
    std::vector<SumOf<T>> sums(e.m * e.n);
    T* to = elements<T>(out);
    for (std::size_t i = 0; i < batch; ++i) {
      multiply(all_a.data() + i * e.m * e.k, all_b.data() + i * e.k * e.n, sums.data(), e);
      to = std::transform(sums.begin(), sums.end(), to, from_sum<T>);
    }
  });
  return out;
}

void check_dims(const Call& call, std::size_t dims_a, std::size_t dims_b) {
  const Sizes &a = call.tensor(0).sizes(), &b = call.tensor(1).sizes();
  if (a.size() != dims_a || b.size() != dims_b)
    throw OpError(fmt::format("{} of {} and {}: it takes tensors with {} and {} dimensions", call.name(), shape_text(a),
                              shape_text(b), dims_a, dims_b));
}

void check_inner(const Call& call, std::int64_t columns, std::int64_t rows) {
  if (columns != rows)
    throw OpError(fmt::format(
        "{} of {} and {}: the first has {} elements per row, the second {} per column; these must be equal",
        call.name(), shape_text(call.tensor(0).sizes()), shape_text(call.tensor(1).sizes()), columns, rows));
}

std::size_t extent(std::int64_t size) { return static_cast<std::size_t>(size); }

}  // namespace

Tensor cpu_mm(Dispatcher& dispatcher, const Call& call) {
  check_dims(call, 2, 2);
  const Sizes &a = call.tensor(0).sizes(), &b = call.tensor(1).sizes();
  check_inner(call, a[1], b[0]);
  return matrix_product(dispatcher, call, 1, {extent(a[0]), extent(b[1]), extent(a[1])}, {a[0], b[1]});
}

Tensor cpu_bmm(Dispatcher& dispatcher, const Call& call) {
  check_dims(call, 3, 3);
  const Sizes &a = call.tensor(0).sizes(), &b = call.tensor(1).sizes();
  if (a[0] != b[0])
    throw OpError(fmt::format("{} of {} and {}: the first has {} matrices, the second {}; these must be equal",
                              call.name(), shape_text(a), shape_text(b), a[0], b[0]));
  check_inner(call, a[2], b[1]);
  return matrix_product(dispatcher, call, extent(a[0]), {extent(a[1]), extent(b[2]), extent(a[2])}, {a[0], a[1], b[2]});
}

Tensor cpu_mv(Dispatcher& dispatcher, const Call& call) {
  check_dims(call, 2, 1);
  const Sizes &a = call.tensor(0).sizes(), &b = call.tensor(1).sizes();
  check_inner(call, a[1], b[0]);
  return matrix_product(dispatcher, call, 1, {extent(a[0]), 1, extent(a[1])}, {a[0]});
}

Tensor cpu_dot(Dispatcher& dispatcher, const Call& call) {
  check_dims(call, 1, 1);
  const Sizes &a = call.tensor(0).sizes(), &b = call.tensor(1).sizes();
  check_inner(call, a[0], b[0]);
  return matrix_product(dispatcher, call, 1, {1, 1, extent(a[0])}, {});
}

}  // namespace warpwalk::ops
