// Correct: vectors at multiples of their size, and unaligned bytes loaded one by one.
extern "C" __global__ void aligned(const float* x, const unsigned char* bytes, float* y) {
  const float4 v = *reinterpret_cast<const float4*>(x + 4 + 4 * threadIdx.x);
  const float2 w = *reinterpret_cast<const float2*>(x + 2 + 2 * threadIdx.x);
  const unsigned char* p = bytes + 1 + 3 * threadIdx.x;
  y[threadIdx.x] = v.x + v.w - w.y + (p[0] | p[1] << 8 | p[2] << 16);
}
