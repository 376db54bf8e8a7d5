#pragma once

// How a block of 128 threads multiplies two tiles in shared memory: 64 rows of the left matrix with 64 rows of the
// right one, which is transposed. Each thread brings 32 bytes of a row of both: thread t those of row t % 64.

#include "number.cuh"

namespace stand_in::cudnn {

constexpr int tile_rows = 64, tile_threads = 128;

/// Four 8x8 matrices of 16-bit numbers, or 8x4 matrices of 32-bit ones. Each lane gives the address of one row.
inline __device__ void load_matrices(unsigned (&registers)[4], const void* row) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
               : "r"(at)
               : "memory");
}

/// sums += left * right, for 16 rows, 8 columns, and 32 bytes of the inner dimension.
inline __device__ void multiply_matrices(TF32, float (&sums)[4], const unsigned (&left)[4], unsigned right0,
                                         unsigned right1) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1));
}
inline __device__ void multiply_matrices(F16, float (&sums)[4], const unsigned (&left)[4], unsigned right0,
                                         unsigned right1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1));
}
inline __device__ void multiply_matrices(BF16, float (&sums)[4], const unsigned (&left)[4], unsigned right0,
                                         unsigned right1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1));
}

/// 4 bytes for a tensor core: one float, rounded to 10 bits of mantissa, or two numbers of 16 bits.
inline __device__ unsigned packed(const float* values, int word) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(values[word]));
  return bits;
}
inline __device__ unsigned packed(const unsigned short* values, int word) {
  unsigned bits;
  asm("mov.b32 %0, {%1, %2};" : "=r"(bits) : "h"(values[2 * word]), "h"(values[2 * word + 1]));
  return bits;
}

/// The product on tensor cores. Each of the four warps computes 32 rows and 32 columns.
template <class Number>
struct TileProduct {
  using Storage = typename Number::Storage;
  static constexpr int elements = 32 / sizeof(Storage);  ///< that a thread brings
  static constexpr int inner = 2 * elements;             ///< of the inner dimension in a tile

  /// 64 bytes per row. The other 16 keep the rows that ldmatrix reads together in different banks.
  struct Tile {
    alignas(16) unsigned char bytes[tile_rows][80];
  };

  /// All sums of a block, by column and row.
  struct Staged {
    float at[tile_rows][tile_rows + 1];
  };

  float sums[2][4][4] = {};

  static __device__ void store(Tile& tile, const Storage (&values)[elements]) {
    uint4* const row = reinterpret_cast<uint4*>(&tile.bytes[threadIdx.x % tile_rows][threadIdx.x / tile_rows * 32]);
    row[0] = make_uint4(packed(values, 0), packed(values, 1), packed(values, 2), packed(values, 3));
    row[1] = make_uint4(packed(values, 4), packed(values, 5), packed(values, 6), packed(values, 7));
  }

  __device__ void multiply(const Tile& left, const Tile& right) {
    const int lane = threadIdx.x % 32;
    const unsigned char* const left_row = left.bytes[first_row() + lane % 16] + lane / 16 * 16;
    const unsigned char* const right_row = right.bytes[first_column() + lane / 16 * 8 + lane % 8] + lane / 8 % 2 * 16;
#pragma unroll
    for (int slice = 0; slice < 64; slice += 32) {
      unsigned a[2][4], b[2][4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        load_matrices(a[i], left_row + i * 16 * sizeof(left.bytes[0]) + slice);
        load_matrices(b[i], right_row + i * 16 * sizeof(right.bytes[0]) + slice);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          multiply_matrices(Number{}, sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
  }

  /// Writes the sums of this thread to the block's.
  __device__ void stage(Staged& staged) const {
    const int row = first_row() + threadIdx.x % 32 / 4, column = first_column() + threadIdx.x % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        staged.at[column + j / 2 * 8 + j % 2][row + i * 8] = sums[i / 2][j / 2][i % 2 * 2 + j % 2];
  }

 private:
  static __device__ int first_row() { return threadIdx.x / 32 % 2 * 32; }
  static __device__ int first_column() { return threadIdx.x / 64 * 32; }
};

/// The product by fused multiply-adds. Each thread computes 8 rows and 4 columns; a tile has its rows side by side, so
/// that vector loads read several.
template <class Number>
struct SimtProduct {
  using Storage = typename Number::Storage;
  static constexpr int elements = 32 / sizeof(Storage);
  static constexpr int inner = 2 * elements;

  struct Tile {
    alignas(16) Storage at[inner][tile_rows];
  };

  struct Staged {
    Storage at[tile_rows][tile_rows];
  };

  Storage sums[8][4] = {};

  static __device__ void store(Tile& tile, const Storage (&values)[elements]) {
    const int first = threadIdx.x / tile_rows * elements;
#pragma unroll
    for (int i = 0; i < elements; ++i) tile.at[first + i][threadIdx.x % tile_rows] = values[i];
  }

  __device__ void multiply(const Tile& left, const Tile& right) {
#pragma unroll 4
    for (int k = 0; k < inner; ++k) {
      Storage a[8], b[4];
      load_row(a, &left.at[k][first_row()]);
      load_row(b, &right.at[k][first_column()]);
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] = fma(a[i], b[j], sums[i][j]);
    }
  }

  __device__ void stage(Staged& staged) const {
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) staged.at[first_column() + j][first_row() + i] = sums[i][j];
  }

 private:
  static __device__ int first_row() { return threadIdx.x / 16 * 8; }
  static __device__ int first_column() { return threadIdx.x % 16 * 4; }

  template <int count>
  static __device__ void load_row(float (&values)[count], const float* from) {
#pragma unroll
    for (int i = 0; i < count; i += 4) {
      const float4 four = *reinterpret_cast<const float4*>(from + i);
      values[i] = four.x, values[i + 1] = four.y, values[i + 2] = four.z, values[i + 3] = four.w;
    }
  }
  template <int count>
  static __device__ void load_row(double (&values)[count], const double* from) {
#pragma unroll
    for (int i = 0; i < count; i += 2) {
      const double2 two = *reinterpret_cast<const double2*>(from + i);
      values[i] = two.x, values[i + 1] = two.y;
    }
  }
};

template <>
struct TileProduct<F32> : SimtProduct<F32> {};
template <>
struct TileProduct<F64> : SimtProduct<F64> {};

}  // namespace stand_in::cudnn
