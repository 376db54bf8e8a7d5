// Atomics with memory order and scope, reductions without a result, and fences between a flag and the data it protects.
extern "C" __global__ void atomic_scopes(const int* x, int* y, int* flags) {
  const int t = threadIdx.x, v = x[t];
  int old;
  asm volatile("atom.relaxed.cta.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(y + t), "r"(v) : "memory");
  asm volatile("atom.acq_rel.gpu.global.max.s32 %0, [%1], %2;" : "=r"(old) : "l"(y + t), "r"(old + 500) : "memory");
  asm volatile("atom.acquire.sys.global.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(y + 64 + t), "r"(old) : "memory");
  asm volatile("atom.release.gpu.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(y + 128 + t), "r"(t), "r"(v)
               : "memory");
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(y + 192), "r"(v) : "memory");
  asm volatile("red.release.gpu.global.max.s32 [%0], %1;" ::"l"(y + 193), "r"(v) : "memory");
  asm volatile("red.global.and.b32 [%0], %1;" ::"l"(y + 194), "r"(v | 0xf0) : "memory");
  asm volatile("red.global.inc.u32 [%0], %1;" ::"l"(y + 195), "r"(12) : "memory");
  if (t >= 32) {  // the second warp passes a value to the first
    flags[t] = v * 3;
    __threadfence();
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flags + t - 32), "r"(1) : "memory");
  } else {
    int ready = 0;
    while (!ready) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(ready) : "l"(flags + t) : "memory");
    y[196 + t] = ((volatile int*)flags)[t + 32] + 1;
  }
  __threadfence_block();
  __threadfence_system();
}
