// Counts how often each of 16 values occurs.
extern "C" __global__ void histogram(const int* x, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int bin = x[i] & 15;
  counts[bin] = counts[bin] + 1;  // BUG: lanes with the same bin store the same sum; needs atomicAdd
}
