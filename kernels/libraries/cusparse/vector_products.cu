// A sparse matrix times a dense vector: c = alpha * a * b + beta * c.

#include "rows.cuh"

namespace stand_in::cusparse {

/// A warp per row, whose lanes share the row's elements.
template <class In, class Out>
__global__ void row_times_vector(Sparse a, Dense b, Dense c, long long rows, Scalar<Wide<Out>> alpha,
                                 Scalar<Wide<Out>> beta, int conjugate) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize, batch = blockIdx.y;
  if (row >= rows) return;
  const Range blocks = entries_of(a, row / a.block, batch);
  Wide<Out> sum{};
#pragma unroll 1
  for (long long k = lane; k < (blocks.end - blocks.begin) * a.block; k += warpSize) {
    const Element<In> element = element_of<In>(a, blocks, row, k, batch);
    const Wide<In> factor = widened(element_at<const In>(b, element.column, 0, batch));
    sum =
        sum + conjugated(element.value, conjugate & conjugate_sparse) * conjugated(factor, conjugate & conjugate_dense);
  }
  sum = sum_of_warp(sum);
  if (lane == 0) update(element_at<Out>(c, row, 0, batch), sum, value_of(alpha), value_of(beta));
}

template __global__ void row_times_vector<float, float>(Sparse, Dense, Dense, long long, Scalar<float>, Scalar<float>,
                                                        int);
template __global__ void row_times_vector<double, double>(Sparse, Dense, Dense, long long, Scalar<double>,
                                                          Scalar<double>, int);
template __global__ void row_times_vector<Complex<float>, Complex<float>>(Sparse, Dense, Dense, long long,
                                                                          Scalar<Complex<float>>,
                                                                          Scalar<Complex<float>>, int);
template __global__ void row_times_vector<Complex<double>, Complex<double>>(Sparse, Dense, Dense, long long,
                                                                            Scalar<Complex<double>>,
                                                                            Scalar<Complex<double>>, int);
template __global__ void row_times_vector<__half, __half>(Sparse, Dense, Dense, long long, Scalar<float>, Scalar<float>,
                                                          int);
template __global__ void row_times_vector<__half, float>(Sparse, Dense, Dense, long long, Scalar<float>, Scalar<float>,
                                                         int);
template __global__ void row_times_vector<__nv_bfloat16, __nv_bfloat16>(Sparse, Dense, Dense, long long, Scalar<float>,
                                                                        Scalar<float>, int);
template __global__ void row_times_vector<__nv_bfloat16, float>(Sparse, Dense, Dense, long long, Scalar<float>,
                                                                Scalar<float>, int);

}  // namespace stand_in::cusparse
