// Conversions between the rows of COO, one index per entry, and those of CSR, offsets.

#include "rows.cuh"

namespace stand_in::cusparse {

/// The offset of each row is the number of entries in the rows before it.
__global__ void compress_rows(const int* rows, long long entries, int count, int* offsets, int base) {
  const long long row = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row > count) return;
  offsets[row] = static_cast<int>(lower_bound(rows, 0, 0, entries, row + base)) + base;
}

/// A warp per row writes the row's number for each of its entries.
__global__ void expand_rows(const int* offsets, int count, int* rows, int base) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  if (row >= count) return;
  for (int entry = offsets[row] - base + static_cast<int>(threadIdx.x % warpSize); entry < offsets[row + 1] - base;
       entry += warpSize)
    rows[entry] = static_cast<int>(row) + base;
}

/// 0, 1, 2, ...
__global__ void count_up(int* numbers, int count) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = static_cast<int>(i);
}

/// The number of entries of a matrix, from its offsets. One thread.
__global__ void take_total(const int* offsets, int rows, int base, int* total) { *total = offsets[rows] - base; }

}  // namespace stand_in::cusparse
