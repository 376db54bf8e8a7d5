// nvcc: -std=c++20
// Stand-ins for cuSOLVER's factorization of symmetric matrices that are not definite: sytrf, Xsytrs.

#include "../cublas_lapack/matrices.cuh"
#include "../cublas_lapack/numbers.cuh"

namespace stand_in::cusolver {

/// The largest of `count` magnitudes and its index, the first of several. Called by one warp.
template <class Float>
struct Largest {
  Float size = 0;
  int index = -1;
};
template <class Float, class Magnitude>
__device__ Largest<Float> find_largest(int from, int to, const Magnitude& magnitude_of) {
  Largest<Float> largest;
  for (int i = from + static_cast<int>(threadIdx.x % warp_size); i < to; i += warp_size)
    if (const Float size = magnitude_of(i); size > largest.size) largest = {size, i};
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const Largest<Float> other{__shfl_xor_sync(all_lanes, largest.size, distance),
                               __shfl_xor_sync(all_lanes, largest.index, distance)};
    if (other.size > largest.size || (other.size == largest.size && other.index >= 0 && other.index < largest.index))
      largest = other;
  }
  return largest;
}

/// Which row moves where at step k: Bunch and Kaufman's choice.
struct PivotChoice {
  int row;   ///< that is swapped with row k + size - 1
  int size;  ///< of the block of D: 1 or 2
};
template <class Number>
__device__ PivotChoice choose_pivot(const Matrix<Number>& a, int k, int n) {
  using Float = Real<Number>;
  const Float alpha = Float(0.6403882032022076);  // (1 + sqrt(17)) / 8
  const Float diagonal = magnitude(a(k, k));
  const Largest<Float> column = find_largest<Float>(k + 1, n, [&](int i) { return magnitude(a(i, k)); });
  if (column.index < 0 || diagonal >= alpha * column.size) return {k, 1};
  const int other = column.index;
  const Largest<Float> row = find_largest<Float>(
      k, n, [&](int j) { return j == other ? Float(0) : magnitude(j < other ? a(other, j) : a(j, other)); });
  if (diagonal >= alpha * column.size * (column.size / row.size)) return {k, 1};
  return {other, magnitude(a(other, other)) >= alpha * row.size ? 1 : 2};
}

template <class Number>
__device__ void swap_elements(Number& a, Number& b) {
  const Number value = a;
  a = b;
  b = value;
}

/// Replaces the lower triangle of an n x n symmetric matrix by L and D, A = P L D L^T P^T, as LAPACK's sytrf does. The
/// upper triangle comes here with the last row first (`reversed`, for the pivots). `pivots`: null for none. `work`: 2 n
/// numbers. `info`: 0, or which block of D is the first zero, from 1. One block.
template <class Number>
__global__ void __launch_bounds__(256)
    ldl_factor(int n, Matrices<Number> matrices, bool reversed, int* pivots, Number* work, int* info) {
  __shared__ PivotChoice chosen;
  const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size, warps = blockDim.x / warp_size;
  const int thread = threadIdx.x, threads = blockDim.x;
  const Matrix<Number> a = matrices[0];
  int first_zero = 0, size = 1;
  for (int k = 0; k < n; k += size) {
    if (warp == 0) {
      const PivotChoice choice = pivots != nullptr ? choose_pivot(a, k, n) : PivotChoice{k, 1};
      if (lane == 0) chosen = choice;
    }
    __syncthreads();
    const int row = chosen.row;
    size = chosen.size;
    const int swapped = k + size - 1;
    if (thread == 0 && pivots != nullptr) {
      const int number = reversed ? n - row : row + 1;
      for (int i = k; i < k + size; ++i) pivots[reversed ? n - 1 - i : i] = size == 1 ? number : -number;
    }
    // Rows and columns change places, in the lower triangle.
    if (row != swapped) {
      for (int i = row + 1 + thread; i < n; i += threads) swap_elements(a(i, swapped), a(i, row));
      for (int i = swapped + 1 + thread; i < row; i += threads) swap_elements(a(i, swapped), a(row, i));
      if (thread == 0) {
        swap_elements(a(swapped, swapped), a(row, row));
        if (size == 2) swap_elements(a(k + 1, k), a(row, k));
      }
    }
    __syncthreads();

    // These rows of L, beside the columns of L D.
    Number* const l = work;
    Number* const second_l = work + n;
    if (size == 1) {
      const Number d = a(k, k);
      if (is_zero(d)) {
        if (first_zero == 0) first_zero = k + 1;
        if (pivots != nullptr) continue;
      }
      for (int i = k + 1 + thread; i < n; i += threads) l[i] = divide(a(i, k), d);
    } else {
      // D^-1 for the block ((a(k, k), off), (off, a(k + 1, k + 1))), without overflow.
      const Number off = a(k + 1, k), d11 = divide(a(k + 1, k + 1), off), d22 = divide(a(k, k), off);
      const Number factor = divide(divide(from_real<Number>(1), d11 * d22 - from_real<Number>(1)), off);
      for (int i = k + 2 + thread; i < n; i += threads) {
        l[i] = factor * (d11 * a(i, k) - a(i, k + 1));
        second_l[i] = factor * (d22 * a(i, k + 1) - a(i, k));
      }
    }
    __syncthreads();
    for (int j = k + size + warp; j < n; j += warps) {
      const Number first = l[j], second = size == 2 ? second_l[j] : Number{};
      for (int i = j + lane; i < n; i += warp_size) {
        Number value = a(i, j) - a(i, k) * first;
        if (size == 2) value -= a(i, k + 1) * second;
        a(i, j) = value;
      }
    }
    __syncthreads();
    for (int i = k + size + thread; i < n; i += threads) {
      a(i, k) = l[i];
      if (size == 2) a(i, k + 1) = second_l[i];
    }
    __syncthreads();
  }
  if (thread == 0) *info = first_zero == 0 ? 0 : reversed ? n + 1 - first_zero : first_zero;
}

/// Solves A X = B in place of B from the factors. `pivots`: null for none. A warp per column of B.
template <class Number>
__global__ void ldl_solve(int n, int columns, Matrices<const Number> matrices, bool reversed, const long long* pivots,
                          Matrices<Number> sides) {
  const int lane = threadIdx.x % warp_size;
  const int column = blockIdx.x * (blockDim.x / warp_size) + threadIdx.x / warp_size;
  if (column >= columns) return;
  const Matrix<const Number> a = matrices[0];
  const Matrix<Number> b = sides[0];
  const auto pivot_of = [&](int k) {
    return pivots == nullptr ? (reversed ? n - k : k + 1) : static_cast<int>(pivots[reversed ? n - 1 - k : k]);
  };
  const auto swap_with_pivot = [&](int row, int pivot) {
    const int number = abs(pivot) - 1, other = reversed ? n - 1 - number : number;
    if (lane == 0 && other != row) swap_elements(b(row, column), b(other, column));
    __syncwarp();
  };

  // L, with the swaps in between, and D.
  for (int k = 0; k < n;) {
    const int pivot = pivot_of(k), size = pivot > 0 ? 1 : 2;
    swap_with_pivot(k + size - 1, pivot);
    const Number first = b(k, column), second = size == 2 ? b(k + 1, column) : Number{};
    for (int i = k + size + lane; i < n; i += warp_size) {
      b(i, column) -= a(i, k) * first;
      if (size == 2) b(i, column) -= a(i, k + 1) * second;
    }
    __syncwarp();
    if (lane == 0) {
      if (size == 1) {
        b(k, column) = divide(first, a(k, k));
      } else {
        const Number off = a(k + 1, k), d1 = divide(a(k, k), off), d2 = divide(a(k + 1, k + 1), off);
        const Number determinant = d1 * d2 - from_real<Number>(1);
        const Number b1 = divide(first, off), b2 = divide(second, off);
        b(k, column) = divide(d2 * b1 - b2, determinant);
        b(k + 1, column) = divide(d1 * b2 - b1, determinant);
      }
    }
    __syncwarp();
    k += size;
  }
  // L^T.
  for (int k = n - 1; k >= 0;) {
    const int pivot = pivot_of(k), size = pivot > 0 ? 1 : 2;
    for (int j = k; j > k - size; --j) {
      Number sum{};
      for (int i = k + 1 + lane; i < n; i += warp_size) sum += a(i, j) * b(i, column);
      sum = warp_sum(sum);
      if (lane == 0) b(j, column) -= sum;
    }
    __syncwarp();
    swap_with_pivot(k, pivot);
    k -= size;
  }
}

template __global__ void ldl_factor(int, Matrices<float>, bool, int*, float*, int*);
template __global__ void ldl_factor(int, Matrices<double>, bool, int*, double*, int*);
template __global__ void ldl_factor(int, Matrices<float2>, bool, int*, float2*, int*);
template __global__ void ldl_factor(int, Matrices<double2>, bool, int*, double2*, int*);

template __global__ void ldl_solve(int, int, Matrices<const float>, bool, const long long*, Matrices<float>);
template __global__ void ldl_solve(int, int, Matrices<const double>, bool, const long long*, Matrices<double>);
template __global__ void ldl_solve(int, int, Matrices<const float2>, bool, const long long*, Matrices<float2>);
template __global__ void ldl_solve(int, int, Matrices<const double2>, bool, const long long*, Matrices<double2>);

}  // namespace stand_in::cusolver
