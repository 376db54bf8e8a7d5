// One warp per rod. Each thread computes 8 neighboring cells at once, with bank conflicts.
// launch: grid rods, block 32
constexpr int cells = 256;
constexpr int own = 8;  // cells per thread

__global__ void conduct(const float* x, float* y, int steps, int rods) {
  __shared__ float rod[cells];
  int first = threadIdx.x * own, base = blockIdx.x * cells;
  for (int k = threadIdx.x; k < cells; k += 32) rod[k] = x[base + k];
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    float next[own];
    for (int k = 0; k < own; ++k) {
      int cell = first + k;
      bool at_end = cell == 0 || cell == cells - 1;
      next[k] = at_end ? rod[cell] : 0.25f * rod[cell - 1] + 0.5f * rod[cell] + 0.25f * rod[cell + 1];
    }
    __syncthreads();
    for (int k = 0; k < own; ++k) rod[first + k] = next[k];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < cells; k += 32) y[base + k] = rod[k];
}
