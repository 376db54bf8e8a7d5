// Pi by counting random points: one xorshift generator per thread, long uniform loops, one atomic per warp.
extern "C" __global__ void monte_carlo(unsigned long long* inside, unsigned* states, int rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i * 747796405u + 2891336453u, hits = 0;
  for (int k = 0; k < rounds; ++k) {
    s ^= s << 13, s ^= s >> 17, s ^= s << 5;
    const float a = (s & 0xffff) * (1.0f / 65536), b = (s >> 16) * (1.0f / 65536);
    hits += a * a + b * b < 1.0f;
  }
  states[i] = s;
  hits = __reduce_add_sync(~0u, hits);
  if ((threadIdx.x & 31) == 0) atomicAdd(inside, (unsigned long long)hits);
}
