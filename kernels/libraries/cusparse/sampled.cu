// Elements of a product of dense matrices, only where a sparse matrix has entries: c = alpha * (a * b) + beta * c.

#include "rows.cuh"

namespace stand_in::cusparse {

/// A warp per row of c, a lane per entry.
template <class Value>
__global__ void sampled_product(Dense a, Dense b, Sparse c, long long rows, long long inner, Scalar<Wide<Value>> alpha,
                                Scalar<Wide<Value>> beta, int conjugate_a, int conjugate_b) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize, batch = blockIdx.y;
  if (row >= rows) return;
  const Range entries = entries_of(c, row, batch);
#pragma unroll 1
  for (long long entry = entries.begin + lane; entry < entries.end; entry += warpSize) {
    const long long column = index_at(c.columns, batch * c.columns_step + entry, c.wide_columns) - c.base;
    Wide<Value> sum{};
#pragma unroll 1
    for (long long k = 0; k < inner; ++k)
      sum = sum + conjugated(widened(element_at<const Value>(a, row, k, batch)), conjugate_a) *
                      conjugated(widened(element_at<const Value>(b, k, column, batch)), conjugate_b);
    update(static_cast<Value*>(c.values)[batch * c.values_step + entry], sum, value_of(alpha), value_of(beta));
  }
}

template __global__ void sampled_product<float>(Dense, Dense, Sparse, long long, long long, Scalar<float>,
                                                Scalar<float>, int, int);
template __global__ void sampled_product<double>(Dense, Dense, Sparse, long long, long long, Scalar<double>,
                                                 Scalar<double>, int, int);
template __global__ void sampled_product<Complex<float>>(Dense, Dense, Sparse, long long, long long,
                                                         Scalar<Complex<float>>, Scalar<Complex<float>>, int, int);
template __global__ void sampled_product<Complex<double>>(Dense, Dense, Sparse, long long, long long,
                                                          Scalar<Complex<double>>, Scalar<Complex<double>>, int, int);
template __global__ void sampled_product<__half>(Dense, Dense, Sparse, long long, long long, Scalar<float>,
                                                 Scalar<float>, int, int);
template __global__ void sampled_product<__nv_bfloat16>(Dense, Dense, Sparse, long long, long long, Scalar<float>,
                                                        Scalar<float>, int, int);

}  // namespace stand_in::cusparse
