// 32-bit and 64-bit atomics on shared memory, also through a generic address.
__device__ __noinline__ void add_through(int* p, int v) { atomicAdd(p, v); }

extern "C" __global__ void atomics_shared(const int* x, int* y, unsigned long long* z) {
  __shared__ int s[24];
  __shared__ unsigned long long w[8];
  const int t = threadIdx.x, v = x[blockIdx.x * blockDim.x + t];
  if (t < 24) s[t] = t == 2 || t == 6 ? 0x7fffffff : 0;
  if (t < 8) w[t] = t == 1 || t == 4 ? ~0ull : 0;
  __syncthreads();
  unsigned* u = reinterpret_cast<unsigned*>(s);
  atomicAdd(s, v), atomicSub(s + 1, v), atomicMin(s + 2, v), atomicMax(s + 3, v), atomicOr(s + 5, 1 << (v & 31));
  atomicAnd(s + 6, ~(1 << (t & 15))), atomicXor(s + 7, v * 12345), atomicInc(u + 8, 10u), atomicDec(u + 9, 6u);
  atomicAdd(s + 10 + (v & 7), 1);
  add_through(t & 1 ? &s[18] : &y[blockIdx.x * 24 + 19], v);
  atomicMax(u + 20, (unsigned)v << 20), atomicMin((unsigned*)s + 21, (unsigned)v);
  const unsigned long long q = ((unsigned long long)v << 33) + t;
  atomicAdd(w, q), atomicMin(w + 1, q), atomicMax(w + 2, q), atomicOr(w + 3, q),
      atomicAnd(w + 4, ~(q & 0xf00000000ull));
  atomicXor(w + 5, q * 3), atomicMax((long long*)w + 6, (long long)q - (500ll << 33));
  if (t == 77) atomicExch(w + 7, q);
  __syncthreads();
  if (t < 24 && t != 19) y[blockIdx.x * 24 + t] = s[t];
  if (t < 8) z[blockIdx.x * 8 + t] = w[t];
}
