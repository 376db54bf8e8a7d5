// A sparse matrix times a dense one: c = alpha * a * b + beta * c.

#include "rows.cuh"

namespace stand_in::cusparse {

/// A thread per element of c: neighbouring threads have neighbouring columns, and so share the entries of a row.
template <class In, class Out>
__global__ void row_times_dense(Sparse a, Dense b, Dense c, long long rows, long long columns, Scalar<Wide<Out>> alpha,
                                Scalar<Wide<Out>> beta, int conjugate) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long row = i / columns, column = i % columns;
  if (row >= rows) return;
  const unsigned batch = blockIdx.y;
  const Range blocks = entries_of(a, row / a.block, batch);
  Wide<Out> sum{};
#pragma unroll 1
  for (long long k = 0; k < (blocks.end - blocks.begin) * a.block; ++k) {
    const Element<In> element = element_of<In>(a, blocks, row, k, batch);
    const Wide<In> factor = widened(element_at<const In>(b, element.column, column, batch));
    sum =
        sum + conjugated(element.value, conjugate & conjugate_sparse) * conjugated(factor, conjugate & conjugate_dense);
  }
  update(element_at<Out>(c, row, column, batch), sum, value_of(alpha), value_of(beta));
}

template __global__ void row_times_dense<float, float>(Sparse, Dense, Dense, long long, long long, Scalar<float>,
                                                       Scalar<float>, int);
template __global__ void row_times_dense<double, double>(Sparse, Dense, Dense, long long, long long, Scalar<double>,
                                                         Scalar<double>, int);
template __global__ void row_times_dense<Complex<float>, Complex<float>>(Sparse, Dense, Dense, long long, long long,
                                                                         Scalar<Complex<float>>, Scalar<Complex<float>>,
                                                                         int);
template __global__ void row_times_dense<Complex<double>, Complex<double>>(Sparse, Dense, Dense, long long, long long,
                                                                           Scalar<Complex<double>>,
                                                                           Scalar<Complex<double>>, int);
template __global__ void row_times_dense<__half, __half>(Sparse, Dense, Dense, long long, long long, Scalar<float>,
                                                         Scalar<float>, int);
template __global__ void row_times_dense<__half, float>(Sparse, Dense, Dense, long long, long long, Scalar<float>,
                                                        Scalar<float>, int);
template __global__ void row_times_dense<__nv_bfloat16, __nv_bfloat16>(Sparse, Dense, Dense, long long, long long,
                                                                       Scalar<float>, Scalar<float>, int);
template __global__ void row_times_dense<__nv_bfloat16, float>(Sparse, Dense, Dense, long long, long long,
                                                               Scalar<float>, Scalar<float>, int);

}  // namespace stand_in::cusparse
