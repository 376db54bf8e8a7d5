// nvcc: -std=c++20
// Stand-ins for cuSOLVER's Cholesky factorization: potrf, potrfBatched, Xpotrf.

#include "../cublas_lapack/matrices.cuh"
#include "../cublas_lapack/numbers.cuh"

namespace stand_in::cusolver {

/// Replaces the lower triangle of n x n matrices by L, A = L L^H. The upper triangle of a matrix comes here as the
/// lower one of its transpose. `infos`: 0, or the order of the first leading minor that is not positive definite. One
/// block per matrix.
template <class Number>
__global__ void __launch_bounds__(256) cholesky(int n, Matrices<Number> matrices, int* infos) {
  const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size, warps = blockDim.x / warp_size;
  const Matrix<Number> a = matrices[blockIdx.x];
  int info = 0;
  for (int k = 0; k < n; ++k) {
    // All threads find the same diagonal element of L.
    const Real<Number> square_of_diagonal = real_part(a(k, k));
    if (!(square_of_diagonal > 0)) {
      info = k + 1;
      break;
    }
    const Real<Number> diagonal = sqrt(square_of_diagonal);
    __syncthreads();
    for (int i = k + static_cast<int>(threadIdx.x); i < n; i += blockDim.x)
      a(i, k) = i == k ? from_real<Number>(diagonal) : (1 / diagonal) * a(i, k);
    __syncthreads();
    // The rest loses column k of L times its conjugate transpose. A warp updates a column.
    for (int j = k + 1 + warp; j < n; j += warps) {
      const Number factor = conjugate(a(j, k));
      for (int i = j + lane; i < n; i += warp_size) a(i, j) -= a(i, k) * factor;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) infos[blockIdx.x] = info;
}

template __global__ void cholesky(int, Matrices<float>, int*);
template __global__ void cholesky(int, Matrices<double>, int*);
template __global__ void cholesky(int, Matrices<float2>, int*);
template __global__ void cholesky(int, Matrices<double2>, int*);

}  // namespace stand_in::cusolver
