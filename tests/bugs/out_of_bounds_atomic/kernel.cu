// A histogram whose largest value has no bin.
extern "C" __global__ void count(const int* x, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1u);  // BUG: x[n - 1] is n - 1, but there are 64 bins
}
