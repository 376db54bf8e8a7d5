// Each thread simulates cells one after the other, in double.
__global__ void reference(const float* x, float* y, int n, int steps) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = x[i], speed = 0, goal = 0.5 - v;
    if (i % 4 == 0) {
      for (int k = 0; k < steps; ++k) v += 0.05 * v * v * (1 - v);
    } else if (i % 4 == 1) {
      for (int k = 0; k < steps; ++k) {
        speed -= 0.1 * v;
        v += 0.1 * speed;
      }
    } else if (i % 4 == 2) {
      for (int k = 0; k < steps; ++k) v -= 0.1 * v * v * v;
    } else {
      for (int k = 0; k < steps; ++k) {
        v += 0.1 * (goal - v);
        goal -= 0.02 * goal * v;
      }
    }
    y[i] = static_cast<float>(v);
  }
}
