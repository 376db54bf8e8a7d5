// The loop waits for a sum to become exactly 1 and stores every step.
extern "C" __global__ void step(float* y) {
  float v = 0.0f;
  for (int k = 0; v != 1.0f; ++k) {  // BUG: the sum of ten 0.1f is not 1
    v += 0.1f;
    y[32 * (k & 7) + threadIdx.x] = v;
  }
}
