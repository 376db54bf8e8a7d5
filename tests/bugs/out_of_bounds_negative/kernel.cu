// A difference of adjacent elements that ignores that the first one has no predecessor.
extern "C" __global__ void difference(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] - x[i - 1];  // BUG: x[-1]
}
