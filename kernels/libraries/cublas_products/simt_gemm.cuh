#pragma once

// Matrix products without tensor cores. A block has 16x16 threads, and each of them per_thread x per_thread sums in
// registers: for each k it loads that many elements of A and of B from shared memory, and multiplies all pairs.

#include "operand.cuh"
#include "store_other.cuh"

namespace stand_in::cublas {

/// A row of `count` numbers, loaded with one instruction.
template <class Number, int count>
struct __align__(sizeof(Number) * count) Numbers {
  Number of[count];
};

template <class Number, int per_thread, Change change>
__device__ void simt_gemm(const Product& p) {
  constexpr int threads = 256, extent = 16 * per_thread;
  // One load takes at most 16 bytes; the parts of a thread lie apart, so that those of a warp follow one another.
  constexpr int most = 16 / sizeof(Number), width = per_thread < most ? per_thread : most;
  constexpr int parts = per_thread / width, apart = 16 * width;
  using Tile = Operand<Number, extent, threads, rows_inner, change>;
  using Part = Numbers<Number, width>;
  extern __shared__ __align__(16) unsigned char shared[];
  unsigned char* const tile_a = shared;
  unsigned char* const tile_b = shared + Tile::bytes;

  const TilePlace place = {static_cast<int>(blockIdx.x) * extent, static_cast<int>(blockIdx.y) * extent,
                           static_cast<int>(blockIdx.z)};
  const Number* a = static_cast<const Number*>(p.a_list != nullptr ? p.a_list[place.batch] : p.a);
  const Number* b = static_cast<const Number*>(p.b_list != nullptr ? p.b_list[place.batch] : p.b);
  a += p.a_batch * place.batch + p.a_row * place.row;
  b += p.b_batch * place.batch + p.b_column * place.column;
  Tile operand_a(a, p.a_row, p.a_depth, p.m - place.row, p.k, p.conjugate_a);
  Tile operand_b(b, p.b_column, p.b_depth, p.n - place.column, p.k, p.conjugate_b);

  const int row = threadIdx.x % 16 * width, column = threadIdx.x / 16 * width;
  Number sums[per_thread][per_thread] = {};  // [column][row]
  if (p.k > 0) {
    operand_a.load(0);
    operand_b.load(0);
  }
  for (int at = 0; at < p.k; at += Tile::depth) {
    operand_a.store(tile_a);
    operand_b.store(tile_b);
    __syncthreads();
    // The next tile is on its way while this one is multiplied.
    if (at + Tile::depth < p.k) {
      operand_a.load(at + Tile::depth);
      operand_b.load(at + Tile::depth);
    }
#pragma unroll 4
    for (int k = 0; k < Tile::depth; ++k) {
      Part of_a[parts], of_b[parts];
#pragma unroll
      for (int part = 0; part < parts; ++part) {
        of_a[part] = reinterpret_cast<const Part*>(tile_a + k * Tile::depth_pitch)[(row + part * apart) / width];
        of_b[part] = reinterpret_cast<const Part*>(tile_b + k * Tile::depth_pitch)[(column + part * apart) / width];
      }
#pragma unroll
      for (int j = 0; j < per_thread; ++j)
#pragma unroll
        for (int i = 0; i < per_thread; ++i)
          multiply_add(sums[j][i], of_a[i / width].of[i % width], of_b[j / width].of[j % width]);
    }
    __syncthreads();
  }

  Number* const tile = reinterpret_cast<Number*>(shared);
#pragma unroll
  for (int j = 0; j < per_thread; ++j)
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      Part values;
#pragma unroll
      for (int i = 0; i < width; ++i) values.of[i] = sums[j][part * width + i];
      const int to = (column + j / width * apart + j % width) * sum_pitch<Number, extent> + row + part * apart;
      *reinterpret_cast<Part*>(tile + to) = values;
    }
  __syncthreads();
  store_tile<extent, extent, threads>(p, tile, place);
}

}  // namespace stand_in::cublas
