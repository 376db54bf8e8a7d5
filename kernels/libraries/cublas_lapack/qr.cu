// nvcc: -std=c++20
// Stand-ins for the QR factorization of cuBLAS and cuSOLVER: geqrf, geqrfBatched, orgqr, ormqr.

#include "reflector.cuh"

namespace stand_in::cublas {

/// Replaces an m x n matrix by R and, below the diagonal, the reflectors of Q = H(1) H(2) ..., as LAPACK's geqrf does.
/// `taus`: the factors of the reflectors, min(m, n) x 1, if `taus_wanted`. `sides`: matrices of m rows that are
/// multiplied by Q^H on the way, for least squares. One block per matrix.
template <class Number>
__global__ void __launch_bounds__(256) qr_factor(int m, int n, Matrices<Number> matrices, Matrices<Number> taus,
                                                 bool taus_wanted, int side_columns, Matrices<Number> sides) {
  __shared__ Number shared_tau;
  const int warp = threadIdx.x / warp_size, warps = blockDim.x / warp_size;
  const Matrix<Number> a = matrices[blockIdx.x];
  for (int k = 0; k < min(m, n); ++k) {
    // One warp makes the reflector that leaves zeros in column k below the diagonal.
    if (warp == 0) {
      const Number made = make_reflector(a(k, k), part(a, k + 1, k), m - k - 1);
      if (threadIdx.x == 0) {
        shared_tau = made;
        if (taus_wanted) taus[blockIdx.x](k, 0) = made;
      }
    }
    __syncthreads();
    // All warps apply it to the columns on the right.
    const Number factor = conjugate(shared_tau);
    for (int j = k + 1 + warp; j < n; j += warps)
      reflect(factor, constant_part(a, k + 1, k), false, a(k, j), part(a, k + 1, j), m - k - 1);
    for (int j = warp; j < side_columns; j += warps) {
      const Matrix<Number> c = sides[blockIdx.x];
      reflect(factor, constant_part(a, k + 1, k), false, c(k, j), part(c, k + 1, j), m - k - 1);
    }
    __syncthreads();
  }
}

/// Replaces k reflectors in the first columns of an m x n matrix by the first n columns of Q = H(1) ... H(k). One block
/// per matrix.
template <class Number>
__global__ void __launch_bounds__(256)
    form_q(int m, int n, int k, Matrices<Number> matrices, Matrices<const Number> taus) {
  const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size, warps = blockDim.x / warp_size;
  const Matrix<Number> a = matrices[blockIdx.x];
  const Matrix<const Number> tau = taus[blockIdx.x];
  // Columns without a reflector start as those of the identity.
  for (int j = k + warp; j < n; j += warps)
    for (int i = lane; i < m; i += warp_size) a(i, j) = from_real<Number>(i == j ? 1 : 0);
  __syncthreads();
  for (int i = k - 1; i >= 0; --i) {
    const Number factor = tau(i, 0);
    for (int j = i + 1 + warp; j < n; j += warps)
      reflect(factor, constant_part(a, i + 1, i), false, a(i, j), part(a, i + 1, j), m - i - 1);
    __syncthreads();
    // Column i itself: H(i) applied to a column of the identity.
    for (int row = threadIdx.x; row < m; row += blockDim.x)
      a(row, i) = row < i ? Number{} : row == i ? from_real<Number>(1) - factor : -(factor * a(row, i));
    __syncthreads();
  }
}

/// Applies k reflectors of m elements to matrices of m rows: the first reflector first, or the last one first.
/// `conjugated_tau`: H^H in place of H. `conjugated`: with conj(v), for products from the right, whose rows come here
/// as columns. blockIdx.x: the matrix; a warp per column.
template <class Number>
__global__ void __launch_bounds__(256)
    apply_reflectors(int m, int columns, int k, Matrices<const Number> reflectors, Matrices<const Number> taus,
                     Matrices<Number> matrices, bool first_to_last, bool conjugated_tau, bool conjugated) {
  const int column = blockIdx.y * (blockDim.x / warp_size) + threadIdx.x / warp_size;
  if (column >= columns) return;
  const Matrix<const Number> v = reflectors[blockIdx.x], tau = taus[blockIdx.x];
  const Matrix<Number> c = matrices[blockIdx.x];
  for (int step = 0; step < k; ++step) {
    const int i = first_to_last ? step : k - 1 - step;
    reflect(conjugate_if(conjugated_tau, tau(i, 0)), part(v, i + 1, i), conjugated, c(i, column),
            part(c, i + 1, column), m - i - 1);
    __syncwarp();
  }
}

/// Writes which diagonal element of each n x n matrix is the first zero, from 1; 0 if none is. A thread per matrix.
template <class Number>
__global__ void find_zero_diagonal(int n, int count, Matrices<const Number> matrices, int* infos) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= count) return;
  const Matrix<const Number> a = matrices[index];
  int first = 0;
  for (int i = n; i > 0; --i)
    if (is_zero(a(i - 1, i - 1))) first = i;
  infos[index] = first;
}

template __global__ void qr_factor(int, int, Matrices<float>, Matrices<float>, bool, int, Matrices<float>);
template __global__ void qr_factor(int, int, Matrices<double>, Matrices<double>, bool, int, Matrices<double>);
template __global__ void qr_factor(int, int, Matrices<float2>, Matrices<float2>, bool, int, Matrices<float2>);
template __global__ void qr_factor(int, int, Matrices<double2>, Matrices<double2>, bool, int, Matrices<double2>);

template __global__ void form_q(int, int, int, Matrices<float>, Matrices<const float>);
template __global__ void form_q(int, int, int, Matrices<double>, Matrices<const double>);
template __global__ void form_q(int, int, int, Matrices<float2>, Matrices<const float2>);
template __global__ void form_q(int, int, int, Matrices<double2>, Matrices<const double2>);

template __global__ void apply_reflectors(int, int, int, Matrices<const float>, Matrices<const float>, Matrices<float>,
                                          bool, bool, bool);
template __global__ void apply_reflectors(int, int, int, Matrices<const double>, Matrices<const double>,
                                          Matrices<double>, bool, bool, bool);
template __global__ void apply_reflectors(int, int, int, Matrices<const float2>, Matrices<const float2>,
                                          Matrices<float2>, bool, bool, bool);
template __global__ void apply_reflectors(int, int, int, Matrices<const double2>, Matrices<const double2>,
                                          Matrices<double2>, bool, bool, bool);

template __global__ void find_zero_diagonal(int, int, Matrices<const float>, int*);
template __global__ void find_zero_diagonal(int, int, Matrices<const double>, int*);
template __global__ void find_zero_diagonal(int, int, Matrices<const float2>, int*);
template __global__ void find_zero_diagonal(int, int, Matrices<const double2>, int*);

}  // namespace stand_in::cublas
