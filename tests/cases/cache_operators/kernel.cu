// Accesses with every cache operator, volatile, and the memory model's relaxed, acquire and release forms.
extern "C" __global__ void cache_operators(const int* x, int* y, int n) {
  const int i = threadIdx.x;
  int v = __ldg(x + i) + __ldca(x + (i + 1) % n) + __ldcg(x + (i + 2) % n) + __ldcs(x + (i + 3) % n);
  v += __ldlu(x + (i + 4) % n) + __ldcv(x + (i + 5) % n);
  const int4 four = __ldg(reinterpret_cast<const int4*>(x) + i / 4);
  v += four.x ^ four.y ^ four.z ^ four.w;
  __stcg(y + i, v);
  __stcs(y + n + i, v + 1);
  __stwb(y + 2 * n + i, v + 2);
  __stwt(y + 3 * n + i, v + 3);
  volatile int* w = y + 4 * n + i;
  *w = v;
  *w = *w + 4;
  int relaxed, acquired;
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(y + 5 * n + i), "r"(v * 5) : "memory");
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(acquired) : "l"(y + 5 * n + i) : "memory");
  asm volatile("ld.relaxed.sys.global.s32 %0, [%1];" : "=r"(relaxed) : "l"(x + i) : "memory");
  asm volatile("st.relaxed.cta.global.s32 [%0], %1;" ::"l"(y + 6 * n + i), "r"(acquired - relaxed) : "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(x + i));
}
