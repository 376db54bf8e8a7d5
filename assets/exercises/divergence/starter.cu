// Simulates n cells for a number of steps. There are four kinds of cells, which take turns: cell i is of kind i % 4.
// x[i] is the state of cell i in the beginning, y[i] its state at the end.
__global__ void simulate(const float* x, float* y, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  if (i % 4 == 0) {  // grows towards 1
    for (int k = 0; k < steps; ++k) v += 0.05f * v * v * (1 - v);
  } else if (i % 4 == 1) {  // swings
    float speed = 0;
    for (int k = 0; k < steps; ++k) {
      speed -= 0.1f * v;
      v += 0.1f * speed;
    }
  } else if (i % 4 == 2) {  // decays
    for (int k = 0; k < steps; ++k) v -= 0.1f * v * v * v;
  } else {  // approaches a goal that fades
    float goal = 0.5f - v;
    for (int k = 0; k < steps; ++k) {
      v += 0.1f * (goal - v);
      goal -= 0.02f * goal * v;
    }
  }
  y[i] = v;
}
