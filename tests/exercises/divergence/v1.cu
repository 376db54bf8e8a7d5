// Four kinds of cells in each warp, loops that are not unrolled, and too few thread blocks for all SMs.
// launch: grid (n + 1023) / 1024, block 1024
__global__ void simulate(const float* x, float* y, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, kind = i % 4;
  if (i >= n) return;
  float v = x[i];
  if (kind == 0) {
#pragma unroll 1
    for (int k = 0; k < steps; ++k) v += 0.05f * v * v * (1 - v);
  } else if (kind == 1) {
    float speed = 0;
#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
      speed -= 0.1f * v;
      v += 0.1f * speed;
    }
  } else if (kind == 2) {
#pragma unroll 1
    for (int k = 0; k < steps; ++k) v -= 0.1f * v * v * v;
  } else {
    float goal = 0.5f - v;
#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
      v += 0.1f * (goal - v);
      goal -= 0.02f * goal * v;
    }
  }
  y[i] = v;
}
