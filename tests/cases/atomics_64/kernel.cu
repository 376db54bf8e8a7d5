// 64-bit atomics on global memory: returned old values on private words, and a compare-and-swap loop on a shared word.
extern "C" __global__ void atomics_64(const long long* x, unsigned long long* all, unsigned long long* own, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long v = (unsigned long long)x[i];
  atomicAdd(all, v), atomicMin(all + 1, v), atomicMax(all + 2, v), atomicMin((long long*)all + 3, x[i]);
  atomicMax((long long*)all + 4, x[i]), atomicAnd(all + 5, v | 0xffff), atomicOr(all + 6, v & 0xff00ff),
      atomicXor(all + 7, v);
  unsigned long long seen = all[8], expected;  // all[8] = its product with an odd number, modulo 2^64
  do {
    expected = seen;
    seen = atomicCAS(all + 8, expected, expected * (2 * v + 1));
  } while (seen != expected);
  unsigned long long* p = own + i * 4;
  unsigned long long sum = atomicAdd(p, v);
  sum = sum * 31 + atomicExch(p + 1, v), sum = sum * 31 + atomicCAS(p + 2, 5ull, v),
  sum = sum * 31 + atomicMax(p, v + 3);
  p[3] = sum;
}
