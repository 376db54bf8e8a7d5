// A float2 load from shared memory at an odd float index.
extern "C" __global__ void pairs(const float* x, float* y) {
  __shared__ __align__(16) float s[66];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 2) s[64 + threadIdx.x] = 0.0f;
  __syncthreads();
  const float2 v = *reinterpret_cast<const float2*>(&s[threadIdx.x]);  // BUG: odd lanes
  y[threadIdx.x] = v.x - v.y;
}
