// ptxas lets a warp jump over the second loop only if all of its lanes do (BRA.U); otherwise a BSSY and a BSYNC
// surround it, so that the shuffles below have all lanes.
extern "C" __global__ void branch_all(const int* x, int* y, int n) {
  extern __shared__ float held[];
  __shared__ float of_warp[4];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < n; i += 128) {
    const float v = 3.0f * x[i];
    held[i] = v;
    sum += v;
  }
  for (int m = 16; m > 0; m >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, m);
  if (t % 32 == 0) of_warp[t / 32] = sum;
  __syncthreads();
  if (t % 32 < 4) sum = of_warp[t % 32];
  for (int m = 2; m > 0; m >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, m);
  sum = __shfl_sync(0xffffffff, sum, 0);
  const float scale = __fdividef(1.f, sum + 1);
  for (int i = t; i < n; i += 128) held[i] *= scale;
  __syncthreads();
  float all = t < n ? held[t] : 0;
  for (int m = 16; m > 0; m >>= 1) all += __shfl_xor_sync(0xffffffff, all, m);
  y[t] = (int)(all * 4096);
}
