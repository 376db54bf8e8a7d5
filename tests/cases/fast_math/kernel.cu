// nvcc: -use_fast_math
// Ordinary code compiled with -use_fast_math: approximate division, square root and exponential, denormals flushed.
extern "C" __global__ void fast_math(const float* a, const float* b, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = a[i], q = fabsf(b[i]) + 0.25f;
  float* o = y + i * 6;
  o[0] = p / q, o[1] = sqrtf(q), o[2] = expf(p), o[3] = 1.0f / q, o[4] = p * q + 1.0f, o[5] = rsqrtf(q);
}
