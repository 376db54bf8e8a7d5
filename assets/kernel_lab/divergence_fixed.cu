// Even elements take the square root by Newton's method, odd ones the sine by its series.
__global__ void two_kinds(const float* x, float* y) {
  int t = threadIdx.x, half = blockDim.x / 2;  // the first half of the warps takes the even elements
  int i = blockIdx.x * blockDim.x + (t < half ? 2 * t : 2 * (t - half) + 1);
  float v = x[i] * x[i] + 1.0f;
  if (i % 2 == 0) {
    float r = v;
#pragma unroll 1
    for (int k = 0; k < 16; ++k) r = 0.5f * (r + v / r);
    y[i] = r;
  } else {
    float term = v, sum = v;
#pragma unroll 1
    for (int k = 1; k < 16; ++k) {
      term *= -v * v / (float)(2 * k * (2 * k + 1));
      sum += term;
    }
    y[i] = sum;
  }
}
