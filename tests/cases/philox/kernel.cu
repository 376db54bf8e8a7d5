// Philox4x32-10, the counter-based random number generator of most frameworks: words and uniform numbers.
__device__ uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
    const unsigned high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
    counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key.x += 0x9E3779B9u, key.y += 0xBB67AE85u;
  }
  return counter;
}

extern "C" __global__ void philox_random(uint4* words, float4* uniform, unsigned long long seed, unsigned offset) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4 r = philox(make_uint4(offset, 0, i, 7), make_uint2((unsigned)seed, (unsigned)(seed >> 32)));
  words[i] = r;
  const float scale = 2.3283064365386963e-10f;
  uniform[i] = make_float4(r.x * scale, r.y * scale + 0.5f * scale, (r.z >> 8) * 5.9604645e-8f, r.w * -scale);
}
