// A float4 load from an address that is not a multiple of 16.
extern "C" __global__ void quads(const float* x, float* y) {
  const float4 v = *reinterpret_cast<const float4*>(x + 1 + 4 * threadIdx.x);  // BUG: 4 bytes off
  y[threadIdx.x] = v.x + v.y + v.z + v.w;
}
