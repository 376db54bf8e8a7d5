// A transposed sparse matrix times a dense one. The entries of a row belong to many rows of the result, so c is scaled
// first, and the products are added with atomic operations.

#include "rows.cuh"

namespace stand_in::cusparse {

/// c = beta * c. With beta = 0, c is not read.
template <class Out>
__global__ void scale_dense(Dense c, long long rows, long long columns, Scalar<Wide<Out>> beta) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  update(element_at<Out>(c, i / columns, i % columns, blockIdx.y), Wide<Out>{}, Wide<Out>{}, value_of(beta));
}

/// A thread per row of a and column of b.
template <class In, class Out>
__global__ void add_transposed(Sparse a, Dense b, Dense c, long long rows, long long columns, Scalar<Wide<Out>> alpha,
                               int conjugate) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long row = i / columns, column = i % columns;
  if (row >= rows) return;
  const unsigned batch = blockIdx.y;
  const Range blocks = entries_of(a, row / a.block, batch);
  const Wide<In> factor = conjugated(widened(element_at<const In>(b, row, column, batch)), conjugate & conjugate_dense);
  const Wide<Out> scaled = value_of(alpha) * factor;
#pragma unroll 1
  for (long long k = 0; k < (blocks.end - blocks.begin) * a.block; ++k) {
    const Element<In> element = element_of<In>(a, blocks, row, k, batch);
    add_to(&element_at<Out>(c, element.column, column, batch),
           conjugated(element.value, conjugate & conjugate_sparse) * scaled);
  }
}

template __global__ void scale_dense<float>(Dense, long long, long long, Scalar<float>);
template __global__ void scale_dense<double>(Dense, long long, long long, Scalar<double>);
template __global__ void scale_dense<Complex<float>>(Dense, long long, long long, Scalar<Complex<float>>);
template __global__ void scale_dense<Complex<double>>(Dense, long long, long long, Scalar<Complex<double>>);
template __global__ void scale_dense<__half>(Dense, long long, long long, Scalar<float>);
template __global__ void scale_dense<__nv_bfloat16>(Dense, long long, long long, Scalar<float>);
template __global__ void add_transposed<float, float>(Sparse, Dense, Dense, long long, long long, Scalar<float>, int);
template __global__ void add_transposed<double, double>(Sparse, Dense, Dense, long long, long long, Scalar<double>,
                                                        int);
template __global__ void add_transposed<Complex<float>, Complex<float>>(Sparse, Dense, Dense, long long, long long,
                                                                        Scalar<Complex<float>>, int);
template __global__ void add_transposed<Complex<double>, Complex<double>>(Sparse, Dense, Dense, long long, long long,
                                                                          Scalar<Complex<double>>, int);
template __global__ void add_transposed<__half, __half>(Sparse, Dense, Dense, long long, long long, Scalar<float>, int);
template __global__ void add_transposed<__half, float>(Sparse, Dense, Dense, long long, long long, Scalar<float>, int);
template __global__ void add_transposed<__nv_bfloat16, __nv_bfloat16>(Sparse, Dense, Dense, long long, long long,
                                                                      Scalar<float>, int);
template __global__ void add_transposed<__nv_bfloat16, float>(Sparse, Dense, Dense, long long, long long, Scalar<float>,
                                                              int);

}  // namespace stand_in::cusparse
