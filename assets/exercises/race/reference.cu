// The cells after the steps, for any grid: one thread per rod, in double precision.
__global__ void reference(const float* x, float* y, int steps, int rods) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rods; r += gridDim.x * blockDim.x) {
    double rod[256];
    for (int k = 0; k < 256; ++k) rod[k] = x[r * 256 + k];
    for (int step = 0; step < steps; ++step) {
      double left = rod[0];  // the left neighbor's value before this step
      for (int k = 1; k < 255; ++k) {
        double cell = rod[k];
        rod[k] = 0.25 * left + 0.5 * cell + 0.25 * rod[k + 1];
        left = cell;
      }
    }
    for (int k = 0; k < 256; ++k) y[r * 256 + k] = (float)rod[k];
  }
}
