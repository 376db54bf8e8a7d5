// A least-significant-digit radix sort of one block's keys: match ranks the lanes, four bits per pass.
extern "C" __global__ void radix_sort(const unsigned* x, unsigned* y) {
  __shared__ unsigned keys[128], counts[4][16], starts[4][16];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  keys[t] = x[blockIdx.x * 128 + t];
  for (int shift = 0; shift < 32; shift += 4) {
    __syncthreads();
    const unsigned key = keys[t], digit = (key >> shift) & 15;
    if (lane < 16) counts[warp][lane] = 0;
    __syncwarp();
    const unsigned peers = __match_any_sync(~0u, digit);
    const unsigned rank = __popc(peers & ((1u << lane) - 1));
    if (rank == 0) counts[warp][digit] = __popc(peers);
    __syncthreads();
    if (t == 0) {
      unsigned at = 0;
      for (int d = 0; d < 16; ++d)
        for (int w = 0; w < 4; ++w) starts[w][d] = at, at += counts[w][d];
    }
    __syncthreads();
    keys[starts[warp][digit] + rank] = key;
  }
  __syncthreads();
  y[blockIdx.x * 128 + t] = keys[t];
}
