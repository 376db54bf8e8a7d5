// A block of 11 x 7 threads: the last warp has 13 lanes, and its shuffles and votes use that member mask.
extern "C" __global__ void odd_block(const int* x, int* y) {
  const int t = threadIdx.x + 11 * threadIdx.y, lane = t & 31;  // 11 x 7
  const unsigned mask = t >= 64 ? 0x1fffu : ~0u;
  const int v = x[blockIdx.x * 77 + t];
  int sum = v;
  for (int by = 8; by > 0; by >>= 1) sum += __shfl_xor_sync(mask, sum, by);
  const unsigned odd = __ballot_sync(mask, v & 1);
  const int all = __syncthreads_count(v > 300);
  y[blockIdx.x * 77 + t] = sum + (t < 64 || lane < 8 ? 0 : -sum) + __popc(odd) * 10000 + all * 1000000;
}
