// A tree reduction without barriers between its steps.
extern "C" __global__ void sum(const float* x, float* y) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2)
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];  // BUG: no barrier between steps
  if (threadIdx.x == 0) *y = s[0];
}
