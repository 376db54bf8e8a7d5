// Correct: lanes exchange data through shared memory with __syncwarp in between, also within part of a warp.
extern "C" __global__ void exchange(const int* x, int* y) {
  __shared__ int s[64];
  const int t = threadIdx.x, warp = t & ~31, lane = t & 31;
  int v = x[t];
  for (int by = 1; by < 32; by *= 2) {
    s[t] = v;
    __syncwarp();
    v += s[warp + (lane ^ by)];
    __syncwarp();
  }
  if (lane < 16) {
    s[t] = v + lane;
    __syncwarp(0xffff);
    v = s[warp + 15 - lane];
  }
  y[t] = v;
}
