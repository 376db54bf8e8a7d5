// Lanes swap through shared memory without __syncwarp: no warp runs in lockstep by law.
extern "C" __global__ void swap(const int* x, int* y) {
  __shared__ int s[32];
  s[threadIdx.x] = x[threadIdx.x];      // OTHER
  y[threadIdx.x] = s[threadIdx.x ^ 1];  // BUG: the neighbour need not have written
}
