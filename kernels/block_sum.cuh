// The sum of one value per thread of a block, in a fixed order: lanes, then warps.
#pragma once

template <typename V>
__device__ V warp_sum(V v) {
  for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffffu, v, by);
  return v;  // lane 0 has the sum of all lanes
}

// Thread 0 gets the sum. `of_warp` is shared memory, one element per warp.
template <typename V>
__device__ V block_sum(V v, V* of_warp) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  v = warp_sum(v);
  if (lane == 0) of_warp[warp] = v;
  __syncthreads();
  return warp == 0 ? warp_sum(lane < warps ? of_warp[lane] : V(0)) : v;
}
