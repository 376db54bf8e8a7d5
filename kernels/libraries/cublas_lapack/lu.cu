// nvcc: -std=c++20
// Stand-ins for the LU factorization of cuBLAS and cuSOLVER: getrf, getrfBatched, and the row swaps of getrs.

#include "matrices.cuh"
#include "numbers.cuh"

namespace stand_in::cublas {

/// The row from k on whose element in column k is the largest, the first of several. Called by one warp.
template <class Number>
__device__ int largest_row(const Matrix<Number>& a, int k, int rows) {
  Real<Number> largest = -1;
  int row = k;
  for (int i = k + static_cast<int>(threadIdx.x % warp_size); i < rows; i += warp_size) {
    const Real<Number> size = magnitude(a(i, k));
    if (size > largest) largest = size, row = i;
  }
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const Real<Number> other = __shfl_xor_sync(all_lanes, largest, distance);
    const int other_row = __shfl_xor_sync(all_lanes, row, distance);
    if (other > largest || (other == largest && other_row < row)) largest = other, row = other_row;
  }
  return row;
}

/// Replaces an m x n matrix by its factors, P A = L U, as LAPACK's getrf does: L without its diagonal of ones, and U.
/// `pivots`: min(m, n) per matrix, from 1; null: no rows are swapped. `infos`: 0, or which diagonal element of U is the
/// first zero, from 1. One block per matrix.
template <class Number>
__global__ void __launch_bounds__(256) lu_factor(int m, int n, Matrices<Number> matrices, int* pivots, int* infos) {
  __shared__ int chosen;
  const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size, warps = blockDim.x / warp_size;
  const int steps = min(m, n);
  const Matrix<Number> a = matrices[blockIdx.x];
  int first_zero = 0;

  for (int k = 0; k < steps; ++k) {
    // Partial pivoting: the largest element of the column moves to the diagonal.
    if (pivots != nullptr) {
      if (warp == 0) {
        const int row = largest_row(a, k, m);
        if (lane == 0) {
          chosen = row;
          pivots[static_cast<long long>(blockIdx.x) * steps + k] = row + 1;
        }
      }
      __syncthreads();
      if (chosen != k)
        for (int j = threadIdx.x; j < n; j += blockDim.x) {
          const Number above = a(k, j);
          a(k, j) = a(chosen, j);
          a(chosen, j) = above;
        }
      __syncthreads();
    }

    // Column k of L.
    const Number pivot = a(k, k);
    if (is_zero(pivot)) {
      if (first_zero == 0) first_zero = k + 1;
    }
    if (!is_zero(pivot) || pivots == nullptr)
      for (int i = k + 1 + static_cast<int>(threadIdx.x); i < m; i += blockDim.x) a(i, k) = divide(a(i, k), pivot);
    __syncthreads();

    // The rest loses the product of this column and row k of U. A warp updates a column.
    for (int j = k + 1 + warp; j < n; j += warps) {
      const Number u = a(k, j);
      for (int i = k + 1 + lane; i < m; i += warp_size) a(i, j) -= a(i, k) * u;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0 && infos != nullptr) infos[blockIdx.x] = first_zero;
}

/// Swaps the rows of matrices of `columns` columns as the LU factorization of n rows has swapped its own. `backward`:
/// in the reverse order, which undoes it. blockIdx.x: the matrix; a thread per column.
template <class Number>
__global__ void swap_rows(int n, int columns, Matrices<Number> matrices, const int* pivots, long long pivots_stride,
                          bool backward) {
  const int column = blockIdx.y * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  const Matrix<Number> b = matrices[blockIdx.x];
  const int* const own = pivots + blockIdx.x * pivots_stride;
  for (int step = 0; step < n; ++step) {
    const int row = backward ? n - 1 - step : step, other = own[row] - 1;
    const Number value = b(row, column);
    b(row, column) = b(other, column);
    b(other, column) = value;
  }
}

template __global__ void lu_factor(int, int, Matrices<float>, int*, int*);
template __global__ void lu_factor(int, int, Matrices<double>, int*, int*);
template __global__ void lu_factor(int, int, Matrices<float2>, int*, int*);
template __global__ void lu_factor(int, int, Matrices<double2>, int*, int*);

template __global__ void swap_rows(int, int, Matrices<float>, const int*, long long, bool);
template __global__ void swap_rows(int, int, Matrices<double>, const int*, long long, bool);
template __global__ void swap_rows(int, int, Matrices<float2>, const int*, long long, bool);
template __global__ void swap_rows(int, int, Matrices<double2>, const int*, long long, bool);

}  // namespace stand_in::cublas
