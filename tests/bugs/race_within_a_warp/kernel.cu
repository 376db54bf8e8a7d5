// Lanes swap values through shared memory without __syncwarp: lockstep execution is not guaranteed.
extern "C" __global__ void swap(const int* x, int* y) {
  __shared__ int s[32];
  s[threadIdx.x] = x[threadIdx.x];      // OTHER
  y[threadIdx.x] = s[threadIdx.x ^ 1];  // BUG: the other lane may not have written yet
}
