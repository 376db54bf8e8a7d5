// The loop waits for a float to become exactly 1.
extern "C" __global__ void step(float* y) {
  float v = 0.0f;
  while (v != 1.0f) {  // BUG: the sum of ten 0.1f is not 1
    v += 0.1f;
    y[threadIdx.x] = v;
  }
}
