// Reductions on surfaces.
extern "C" __global__ void surface_reductions(cudaSurfaceObject_t a, cudaSurfaceObject_t b, cudaSurfaceObject_t c,
                                              cudaSurfaceObject_t d, const int* v) {
  const int i = threadIdx.x, x = i % 4 * 4, y = i / 4 % 3;
  asm volatile("sured.b.add.2d.u32.clamp [%0, {%1, %2}], %3;" ::"l"(a), "r"(x), "r"(y), "r"(v[i]));
  asm volatile("sured.b.min.1d.s32.zero [%0, {%1}], %2;" ::"l"(b), "r"(x * 2), "r"(v[i]));
  asm volatile("sured.b.max.3d.u32.clamp [%0, {%1, %2, %3, %3}], %4;" ::"l"(c), "r"(x), "r"(y), "r"(i & 1), "r"(v[i]));
  asm volatile("sured.b.or.2d.b32.trap [%0, {%1, %2}], %3;" ::"l"(d), "r"(x), "r"(y), "r"(v[i]));
}
