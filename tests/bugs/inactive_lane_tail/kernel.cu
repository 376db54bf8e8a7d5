// The threads behind the end return, and the others add up their warp as if it were whole.
extern "C" __global__ void largest(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int value = x[i];
  for (int d = 16; d > 0; d /= 2) value = max(value, __shfl_down_sync(0xffffffffu, value, d));  // BUG: they are read
  if (threadIdx.x % 32 == 0) y[i / 32] = value;
}
