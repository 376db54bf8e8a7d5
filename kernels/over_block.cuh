// Combines one value per thread of a block in a fixed order: lanes, then warps. Every thread gets the result.
#pragma once

// `of_warp` is shared memory, one element per warp. Whole warps, up to 32 of them.
template <typename V, typename Combine>
__device__ V over_block(V v, V* of_warp, Combine combine) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int by = 16; by > 0; by /= 2) v = combine(v, __shfl_xor_sync(0xffffffffu, v, by));
  __syncthreads();  // threads may still read the result of the previous reduction
  if (lane == 0) of_warp[warp] = v;
  __syncthreads();
  v = of_warp[0];
#pragma unroll 1
  for (int w = 1; w < warps; ++w) v = combine(v, of_warp[w]);
  return v;
}

struct Sum {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return a + b;
  }
};
