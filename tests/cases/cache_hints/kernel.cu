// nvcc: -arch=sm_80
// Cache hints, which do not affect values: policies, eviction priorities, prefetch sizes.
extern "C" __global__ void cache_hints(const int* x, int* y) {
  const int i = threadIdx.x;
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(policy));
  int a, b, c, d, e;
  asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(a) : "l"(x + i), "l"(policy));
  asm volatile("ld.global.L1::no_allocate.s32 %0, [%1];" : "=r"(b) : "l"(x + (i ^ 1)));
  asm volatile("ld.global.L1::evict_last.L2::128B.s32 %0, [%1];" : "=r"(c) : "l"(x + (i ^ 2)));
  asm volatile("ld.global.nc.L1::evict_first.L2::256B.s32 %0, [%1];" : "=r"(d) : "l"(x + (i ^ 3)));
  asm volatile("ld.global.nc.L2::64B.s32 %0, [%1];" : "=r"(e) : "l"(x + (i ^ 4)));
  asm volatile("st.global.L2::cache_hint.s32 [%0], %1, %2;" ::"l"(y + i), "r"(a + b * 2), "l"(policy) : "memory");
  asm volatile("st.global.L1::no_allocate.s32 [%0], %1;" ::"l"(y + 64 + i), "r"(c - d * e) : "memory");
  asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(x + i));
  asm volatile("prefetchu.L1 [%0];" ::"l"(x + i));
}
