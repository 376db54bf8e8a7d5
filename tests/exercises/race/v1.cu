// One warp per rod. Each thread goes through 8 neighboring cells one by one, with bank conflicts, from one array in
// shared memory to the other.
// launch: grid rods, block 32
constexpr int cells = 256;
constexpr int own = 8;  // cells per thread

__global__ void conduct(const float* x, float* y, int steps, int rods) {
  __shared__ float rod[2][cells];
  int base = blockIdx.x * cells;
  for (int k = threadIdx.x; k < cells; k += 32) rod[0][k] = x[base + k];
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    const float* now = rod[step & 1];
    float* next = rod[1 - (step & 1)];
#pragma unroll 1
    for (int k = 0; k < own; ++k) {
      int cell = threadIdx.x * own + k;
      bool at_end = cell == 0 || cell == cells - 1;
      next[cell] = at_end ? now[cell] : 0.25f * now[cell - 1] + 0.5f * now[cell] + 0.25f * now[cell + 1];
    }
    __syncthreads();
  }
  for (int k = threadIdx.x; k < cells; k += 32) y[base + k] = rod[steps & 1][k];
}
