constexpr int cells = 256;  // cells per rod

// Conducts heat in rods of 256 cells. Thread block b computes rod b, and each of its threads computes one cell.
// In each step, every cell except the two at the ends takes the weighted mean of itself and its two neighbors.
__global__ void conduct(const float* x, float* y, int steps, int rods) {
  __shared__ float rod[cells];
  int t = threadIdx.x;
  int i = blockIdx.x * cells + t;
  bool at_end = t == 0 || t == cells - 1;
  rod[t] = x[i];
  for (int step = 0; step < steps; ++step) {
    if (!at_end) rod[t] = 0.25f * rod[t - 1] + 0.5f * rod[t] + 0.25f * rod[t + 1];
  }
  y[i] = rod[t];
}
