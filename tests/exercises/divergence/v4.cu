// Two kinds of cells in each warp: the first half of a thread block has the kinds 0 and 1, the second half 2 and 3.
__global__ void simulate(const float* x, float* y, int n, int steps) {
  int half = threadIdx.x / 128, pair = threadIdx.x % 128 / 2, kind = 2 * half + threadIdx.x % 2;
  int i = blockIdx.x * 256 + 4 * pair + kind;
  if (i >= n) return;
  float v = x[i];
  if (kind == 0) {
    for (int k = 0; k < steps; ++k) v += 0.05f * v * v * (1 - v);
  } else if (kind == 1) {
    float speed = 0;
    for (int k = 0; k < steps; ++k) {
      speed -= 0.1f * v;
      v += 0.1f * speed;
    }
  } else if (kind == 2) {
    for (int k = 0; k < steps; ++k) v -= 0.1f * v * v * v;
  } else {
    float goal = 0.5f - v;
    for (int k = 0; k < steps; ++k) {
      v += 0.1f * (goal - v);
      goal -= 0.02f * goal * v;
    }
  }
  y[i] = v;
}
