#pragma once

// Matrix products on tensor cores. A block computes a tile of D; its warps share the tiles of A and B in shared memory and
// keep their part of the sums in registers. 32 bytes of the k axis are one step: 16 elements of 2 bytes, 8 of TF32, and so
// on, so that ldmatrix and the fragments are the same for all types up to 4 bytes.

#include "operand.cuh"
#include "store_other.cuh"

namespace stand_in::cublas {

/// What a lane holds of 16 rows and 32 bytes of k: a word each of rows 0-7 and 8-15 of the lower half, then of the upper.
struct Fragment {
  unsigned word[4];
};

/// Loads a fragment by ldmatrix from a tile whose rows have 64 bytes of k and `pitch` bytes from row to row.
__device__ inline Fragment load_fragment(const unsigned char* tile, int pitch, int row, int step) {
  const int lane = threadIdx.x % 32;
  // Lanes 0-7 give the addresses of the first 8x8 matrix, 8-15 those of the second, and so on.
  const unsigned char* from = tile + (row + lane % 16) * pitch + step * 32 + lane / 16 * 16;
  Fragment f;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(f.word[0]), "=r"(f.word[1]), "=r"(f.word[2]), "=r"(f.word[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))));
  return f;
}

/// The same for 2-byte elements in a tile with `pitch` bytes from k to k: ldmatrix transposes.
__device__ inline Fragment load_transposed(const unsigned char* tile, int pitch, int row, int step) {
  const int lane = threadIdx.x % 32;
  const unsigned char* from = tile + (step * 16 + lane % 8 + lane / 16 * 8) * pitch + (row + lane / 8 % 2 * 8) * 2;
  Fragment f;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(f.word[0]), "=r"(f.word[1]), "=r"(f.word[2]), "=r"(f.word[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))));
  return f;
}

/// The product of one block: warps_m x warps_n warps, each with tiles_m x tiles_n tiles of 16x16 sums. `Type` says how
/// elements are multiplied.
template <class Type, int warps_m, int warps_n, int tiles_m, int tiles_n>
__device__ void tensor_gemm(const Product& p) {
  using Element = typename Type::Element;
  using Sum = typename Type::Sum;
  constexpr int threads = warps_m * warps_n * 32;
  constexpr int rows = warps_m * tiles_m * 16, columns = warps_n * tiles_n * 16;
  using OperandA = Operand<Element, rows, threads, Type::layout, Type::change>;
  using OperandB = Operand<Element, columns, threads, Type::layout, Type::change>;
  extern __shared__ __align__(16) unsigned char shared[];
  unsigned char* const tile_a = shared;
  unsigned char* const tile_b = shared + OperandA::bytes;

  const TilePlace place = {static_cast<int>(blockIdx.x) * rows, static_cast<int>(blockIdx.y) * columns,
                           static_cast<int>(blockIdx.z)};
  const Element* a = static_cast<const Element*>(p.a_list != nullptr ? p.a_list[place.batch] : p.a);
  const Element* b = static_cast<const Element*>(p.b_list != nullptr ? p.b_list[place.batch] : p.b);
  a += p.a_batch * place.batch + p.a_row * place.row;
  b += p.b_batch * place.batch + p.b_column * place.column;
  OperandA operand_a(a, p.a_row, p.a_depth, p.m - place.row, p.k);
  OperandB operand_b(b, p.b_column, p.b_depth, p.n - place.column, p.k);

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_row = warp % warps_m * tiles_m * 16, warp_column = warp / warps_m * tiles_n * 16;
  Sum sums[tiles_m][tiles_n][2][4] = {};

  if (p.k > 0) {
    operand_a.load(0);
    operand_b.load(0);
  }
  for (int at = 0; at < p.k; at += OperandA::depth) {
    operand_a.store(tile_a);
    operand_b.store(tile_b);
    __syncthreads();
    // The next tile is on its way while this one is multiplied.
    if (at + OperandA::depth < p.k) {
      operand_a.load(at + OperandA::depth);
      operand_b.load(at + OperandA::depth);
    }
#pragma unroll
    for (int step = 0; step < Type::steps; ++step) {
      typename Type::Fragment fragment_b[tiles_n];
#pragma unroll
      for (int j = 0; j < tiles_n; ++j)
        fragment_b[j] = Type::template load<OperandB>(tile_b, operand_b.depth_is_inner(), warp_column + j * 16, step);
#pragma unroll
      for (int i = 0; i < tiles_m; ++i) {
        const auto fragment_a =
            Type::template load<OperandA>(tile_a, operand_a.depth_is_inner(), warp_row + i * 16, step);
#pragma unroll
        for (int j = 0; j < tiles_n; ++j) {
          // The fragment of B has 16 columns; an instruction takes 8.
          Type::multiply(p, sums[i][j][0], fragment_a, fragment_b[j].word[0], fragment_b[j].word[2]);
          Type::multiply(p, sums[i][j][1], fragment_a, fragment_b[j].word[1], fragment_b[j].word[3]);
        }
      }
    }
    __syncthreads();
  }

  // A lane has two neighbouring columns of row lane / 4 and of the row 8 below it.
  Sum* const tile = reinterpret_cast<Sum*>(shared);
  constexpr int pitch = sum_pitch<Sum, rows>;
#pragma unroll
  for (int i = 0; i < tiles_m; ++i)
#pragma unroll
    for (int j = 0; j < tiles_n * 2; ++j) {
      Sum* const to = tile + (warp_column + j * 8 + lane % 4 * 2) * pitch + warp_row + i * 16 + lane / 4;
      const Sum(&sum)[4] = sums[i][j / 2][j % 2];
      to[0] = sum[0];
      to[pitch] = sum[1];
      to[8] = sum[2];
      to[pitch + 8] = sum[3];
    }
  __syncthreads();
  store_tile<rows, columns, threads>(p, tile, place);
}

/// Elements of up to 4 bytes.
struct LoadsFragments {
  using Fragment = cublas::Fragment;
  static constexpr int steps = 2;  ///< of 32 bytes per tile
  static constexpr Change change = unchanged;

  template <class Operand>
  static __device__ Fragment load(const unsigned char* tile, bool depth_is_inner, int row, int step) {
    if constexpr (Operand::size == 2)
      if (!depth_is_inner) return load_transposed(tile, Operand::depth_pitch, row, step);
    return load_fragment(tile, Operand::row_pitch, row, step);
  }
};

}  // namespace stand_in::cublas
