// The old warp-synchronous reduction on volatile shared memory, made correct by __syncwarp; and a volatile flag between
// warps.
extern "C" __global__ void volatile_shared(const int* x, int* y) {
  __shared__ volatile int s[128];
  __shared__ volatile int flag, value;
  const int t = threadIdx.x, lane = t & 31;
  s[t] = x[blockIdx.x * 128 + t];
  if (t == 0) flag = 0;
  __syncthreads();
  for (int by = 16; by > 0; by /= 2) {
    const int v = s[t] + (lane < by ? s[t + by] : 0);
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (t == 96) {
    value = s[96] * 3;
    __threadfence_block();
    flag = 1;
  }
  if (t < 32) {
    while (flag == 0) __nanosleep(20);
    __threadfence_block();
  }
  y[blockIdx.x * 128 + t] = s[t & ~31] + (t < 32 ? value : 0);
}
