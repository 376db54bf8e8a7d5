// Offsets of rows from the numbers of their entries.

#include "rows.cuh"

namespace stand_in::cusparse {

/// offsets[i] = base + counts[0] + ... + counts[i - 1] for i up to `rows`, by one block. Each turn of the loop scans as
/// many counts as the block has threads: in each warp with shuffles, then over the sums of the warps.
__global__ void scan_counts(const long long* counts, long long rows, void* offsets, int wide, int base) {
  __shared__ long long sum_of_warp[32];
  const unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, warps = blockDim.x / warpSize;
  long long before = base;
#pragma unroll 1
  for (long long first = 0; first < rows; first += blockDim.x) {
    const long long row = first + threadIdx.x;
    const long long count = row < rows ? counts[row] : 0;
    long long sum = count;
    for (int distance = 1; distance < warpSize; distance *= 2) {
      const long long lower = __shfl_up_sync(all_lanes, sum, distance);
      if (lane >= distance) sum += lower;
    }
    if (lane == warpSize - 1) sum_of_warp[warp] = sum;
    __syncthreads();
    long long all = 0;
    for (unsigned i = 0; i < warps; ++i) {
      if (i < warp) sum += sum_of_warp[i];
      all += sum_of_warp[i];
    }
    if (row < rows) put_index(offsets, row, wide, before + sum - count);
    before += all;
    __syncthreads();  // the sums are read before the next turn writes them
  }
  if (threadIdx.x == 0) put_index(offsets, rows, wide, before);
}

}  // namespace stand_in::cusparse
