// nvcc: -std=c++20
// Stand-ins for cuBLAS's solvers of triangular systems: trsv, trsm, trsmBatched.

#include "matrices.cuh"
#include "numbers.cuh"

namespace stand_in::cublas {

constexpr int tile = 32;  // rows and columns of a tile
constexpr int warps = 8;  // per block
constexpr int rows_per_thread = tile / warps;

/// Loads a tile of a matrix into shared memory. Neighbouring threads load neighbouring addresses.
template <class Number>
__device__ void load_tile(Number (&into)[tile][tile + 1], const Matrix<const Number>& from, int top, int left, int rows,
                          int columns, bool conjugated) {
  const bool along_column = from.row_step == 1 || from.row_step == -1;
#pragma unroll 1
  for (int i = threadIdx.x; i < tile * tile; i += warps * warp_size) {
    const int row = along_column ? i % tile : i / tile, column = along_column ? i / tile : i % tile;
    const bool inside = top + row < rows && left + column < columns;
    into[row][column] = inside ? conjugate_if(conjugated, from(top + row, left + column)) : Number{};
  }
}

/// Solves L X = alpha B in place of B, where L is n x n and lower triangular. Upper triangular systems, transposed ones
/// and those with X on the left come here with other steps between the elements. `alpha_at`, if it is not null, is
/// alpha in device memory. blockIdx.x: the system; blockIdx.y: 32 columns of B.
template <class Number>
__global__ void __launch_bounds__(warps* warp_size)
    solve_lower(int n, int columns, Matrices<const Number> triangles, bool conjugated, bool unit_diagonal, Number alpha,
                const Number* alpha_at, Matrices<Number> sides) {
  __shared__ Number l[tile][tile + 1], x[tile][tile + 1];
  const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size, left = blockIdx.y * tile;
  const Matrix<const Number> triangle = triangles[blockIdx.x];
  const Matrix<Number> b = sides[blockIdx.x];
  const Matrix<const Number> solved{b.first, b.row_step, b.column_step};
  const Number factor = alpha_at != nullptr ? *alpha_at : alpha;

  for (int top = 0; top < n; top += tile) {
    // This thread's part of 32 rows of alpha B: the rows warp, warp + 8, ... of the column `lane`.
    Number rest[rows_per_thread];
    load_tile(x, solved, top, left, n, columns, false);
    __syncthreads();
    for (int r = 0; r < rows_per_thread; ++r) rest[r] = is_zero(factor) ? Number{} : factor * x[warp + warps * r][lane];

    // Subtract what the rows above contribute.
    for (int k = 0; k < top && !is_zero(factor); k += tile) {
      __syncthreads();
      load_tile(l, triangle, top, k, n, n, conjugated);
      load_tile(x, solved, k, left, n, columns, false);
      __syncthreads();
#pragma unroll 4
      for (int i = 0; i < tile; ++i) {
        const Number above = x[i][lane];
        for (int r = 0; r < rows_per_thread; ++r) rest[r] -= l[warp + warps * r][i] * above;
      }
    }

    // Forward substitution in the tile on the diagonal: one lane per column.
    __syncthreads();
    load_tile(l, triangle, top, top, n, n, conjugated);
    for (int r = 0; r < rows_per_thread; ++r) x[warp + warps * r][lane] = rest[r];
    __syncthreads();
    const int rows = min(tile, n - top);
    if (warp == 0 && !is_zero(factor))
      for (int i = 0; i < rows; ++i) {
        Number value = x[i][lane];
#pragma unroll 1
        for (int k = 0; k < i; ++k) value -= l[i][k] * x[k][lane];
        x[i][lane] = unit_diagonal ? value : divide(value, l[i][i]);
      }
    __syncthreads();

    const bool along_column = b.row_step == 1 || b.row_step == -1;
#pragma unroll 1
    for (int i = threadIdx.x; i < tile * tile; i += warps * warp_size) {
      const int row = along_column ? i % tile : i / tile, column = along_column ? i / tile : i % tile;
      if (row < rows && left + column < columns) b(top + row, left + column) = x[row][column];
    }
    __syncthreads();
  }
}

template __global__ void solve_lower(int, int, Matrices<const float>, bool, bool, float, const float*, Matrices<float>);
template __global__ void solve_lower(int, int, Matrices<const double>, bool, bool, double, const double*,
                                     Matrices<double>);
template __global__ void solve_lower(int, int, Matrices<const float2>, bool, bool, float2, const float2*,
                                     Matrices<float2>);
template __global__ void solve_lower(int, int, Matrices<const double2>, bool, bool, double2, const double2*,
                                     Matrices<double2>);

}  // namespace stand_in::cublas
