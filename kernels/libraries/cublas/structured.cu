// Products of symmetric, Hermitian and triangular matrices, and updates of a triangle. A block has a thread per element of
// a tile of 16 x 16.
#include "numbers.cuh"
#include "structured.h"

namespace stand_in::cublas {

constexpr int side = 16;

/// Element (i, j), from the triangle that is stored.
template <class Number>
__device__ Number element_of(const StructuredMatrix& matrix, int i, int j) {
  const bool mirrored = matrix.structure != general && (matrix.is_lower ? i < j : i > j);
  const Number* at = static_cast<const Number*>(matrix.at);
  Number value = mirrored ? at[j * matrix.row + i * matrix.column] : at[i * matrix.row + j * matrix.column];
  if ((matrix.structure == hermitian && mirrored) != (matrix.conjugates != 0)) value = conjugate(value);
  // The imaginary parts of a Hermitian diagonal are taken as zero.
  if (matrix.structure == hermitian && i == j) value = product(Real<Number>(0.5), sum(value, conjugate(value)));
  return value;
}

/// alpha or beta.
template <class Number>
__device__ Number scalar_of(const void* at, bool is_real, double real, double imaginary) {
  if (at == nullptr) return number<Number>(real, imaginary);
  return is_real ? number<Number>(*static_cast<const Real<Number>*>(at), 0) : *static_cast<const Number*>(at);
}

template <class Number>
__global__ void __launch_bounds__(side* side) structured_product(const __grid_constant__ StructuredProduct p) {
  __shared__ Number tile_a[side][side + 1], tile_b[side][side + 1];
  const int x = threadIdx.x % side, y = threadIdx.x / side;
  const int row = blockIdx.x * side, column = blockIdx.y * side;
  // Tiles that have no element of the triangle.
  if ((p.part == 1 && row + side <= column) || (p.part == 2 && column + side <= row)) return;
  const int i = row + x, j = column + y;
  Number value{};
  for (int from = 0; from < p.k; from += side) {
    tile_a[y][x] = i < p.m && from + y < p.k ? element_of<Number>(p.a, i, from + y) : Number{};
    tile_b[y][x] = j < p.n && from + x < p.k ? element_of<Number>(p.b, from + x, j) : Number{};
    __syncthreads();
#pragma unroll
    for (int l = 0; l < side; ++l) value = sum(value, product(tile_a[l][x], tile_b[y][l]));
    __syncthreads();
  }
  if (i >= p.m || j >= p.n || (p.part == 1 && i < j) || (p.part == 2 && i > j)) return;
  Number alpha = scalar_of<Number>(p.alpha_at, p.real_alpha, p.alpha, p.alpha_imaginary);
  const Number beta = scalar_of<Number>(p.beta_at, p.real_beta, p.beta, p.beta_imaginary);
  if (p.conjugates_alpha) alpha = conjugate(alpha);
  Number* const to = static_cast<Number*>(p.c) + i * p.c_row + j * p.c_column;
  value = product(alpha, value);
  if (!is_zero(beta)) value = sum(value, product(beta, *to));
  if (p.is_hermitian && i == j) value = product(Real<Number>(0.5), sum(value, conjugate(value)));
  *to = value;
}
template __global__ void structured_product<float>(const __grid_constant__ StructuredProduct);
template __global__ void structured_product<double>(const __grid_constant__ StructuredProduct);
template __global__ void structured_product<float2>(const __grid_constant__ StructuredProduct);
template __global__ void structured_product<double2>(const __grid_constant__ StructuredProduct);

/// A block computes 16 columns of C, a tile of 16 rows after the other: first those that later tiles do not read, so that
/// C can be B.
template <class Number>
__global__ void __launch_bounds__(side* side) triangular_product(const __grid_constant__ TriangularProduct p) {
  __shared__ Number tile_a[side][side + 1], tile_b[side][side + 1];
  const int x = threadIdx.x % side, y = threadIdx.x / side;
  const int j = blockIdx.x * side + y;
  const Number alpha = scalar_of<Number>(p.alpha_at, false, p.alpha, p.alpha_imaginary);
  const int tiles = (p.m + side - 1) / side;
  for (int turn = 0; turn < tiles; ++turn) {
    const int tile = p.a.is_lower ? tiles - 1 - turn : turn;
    const int i = tile * side + x;
    const int first = p.a.is_lower ? 0 : tile, last = p.a.is_lower ? tile : tiles - 1;
    Number value{};
    for (int at = first; at <= last; ++at) {
      const int k_of_a = at * side + y, k_of_b = at * side + x;
      const bool inside = i < p.m && k_of_a < p.m && (p.a.is_lower ? k_of_a <= i : k_of_a >= i);
      if (inside && i == k_of_a && p.is_unit) tile_a[y][x] = number<Number>(1, 0);
      else tile_a[y][x] = inside ? element_of<Number>(p.a, i, k_of_a) : Number{};
      const Number* b = static_cast<const Number*>(p.b);
      tile_b[y][x] = j < p.n && k_of_b < p.m ? b[k_of_b * p.b_row + j * p.b_column] : Number{};
      __syncthreads();
#pragma unroll
      for (int l = 0; l < side; ++l) value = sum(value, product(tile_a[l][x], tile_b[y][l]));
      __syncthreads();
    }
    if (i < p.m && j < p.n) static_cast<Number*>(p.c)[i * p.c_row + j * p.c_column] = product(alpha, value);
  }
}
template __global__ void triangular_product<float>(const __grid_constant__ TriangularProduct);
template __global__ void triangular_product<double>(const __grid_constant__ TriangularProduct);
template __global__ void triangular_product<float2>(const __grid_constant__ TriangularProduct);
template __global__ void triangular_product<double2>(const __grid_constant__ TriangularProduct);

}  // namespace stand_in::cublas
