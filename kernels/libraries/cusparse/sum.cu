// The sum of two sparse matrices whose rows are sorted by column: c = alpha * a + beta * b.

#include "rows.cuh"

namespace stand_in::cusparse {

/// Goes through the entries of a row of both matrices in the order of columns. Calls `use` with the column and the
/// entry of each matrix; -1 if it has none there.
template <class Use>
__device__ void for_union(const Sparse& a, const Sparse& b, long long row, const Use& use) {
  Range in_a = entries_of(a, row, 0), in_b = entries_of(b, row, 0);
  constexpr long long none = 1LL << 62;
#pragma unroll 1
  while (in_a.begin < in_a.end || in_b.begin < in_b.end) {
    const long long of_a = in_a.begin < in_a.end ? index_at(a.columns, in_a.begin, 0) - a.base : none;
    const long long of_b = in_b.begin < in_b.end ? index_at(b.columns, in_b.begin, 0) - b.base : none;
    const long long column = min(of_a, of_b);
    use(column, of_a == column ? in_a.begin++ : -1, of_b == column ? in_b.begin++ : -1);
  }
}

/// The number of entries of each row of the sum.
__global__ void count_union(Sparse a, Sparse b, int rows, long long* counts) {
  const long long row = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  long long count = 0;
  for_union(a, b, row, [&](long long, long long, long long) { ++count; });
  counts[row] = count;
}

/// The entries of the sum, a thread per row. `c` has the offsets of its rows.
template <class Value>
__global__ void add_rows(Sparse a, Sparse b, Sparse c, int rows, Scalar<Value> alpha, Scalar<Value> beta) {
  const long long row = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const Value factor_a = value_of(alpha), factor_b = value_of(beta);
  long long target = index_at(c.rows, row, 0) - c.base;
  for_union(a, b, row, [&](long long column, long long entry_a, long long entry_b) {
    Value sum{};
    if (entry_a >= 0) sum = factor_a * static_cast<const Value*>(a.values)[entry_a];
    if (entry_b >= 0) sum = sum + factor_b * static_cast<const Value*>(b.values)[entry_b];
    const_cast<int*>(static_cast<const int*>(c.columns))[target] = static_cast<int>(column) + c.base;
    static_cast<Value*>(c.values)[target] = sum;
    ++target;
  });
}

template __global__ void add_rows<float>(Sparse, Sparse, Sparse, int, Scalar<float>, Scalar<float>);
template __global__ void add_rows<double>(Sparse, Sparse, Sparse, int, Scalar<double>, Scalar<double>);
template __global__ void add_rows<Complex<float>>(Sparse, Sparse, Sparse, int, Scalar<Complex<float>>,
                                                  Scalar<Complex<float>>);
template __global__ void add_rows<Complex<double>>(Sparse, Sparse, Sparse, int, Scalar<Complex<double>>,
                                                   Scalar<Complex<double>>);

}  // namespace stand_in::cusparse
