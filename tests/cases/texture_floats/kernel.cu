// Formats that are read as floats: normalized integers, halves and floats, with one, two and four channels.
#define T cudaTextureObject_t
#define FETCH(k) out[(2 * k) * n + i] = tex2D<float4>(p##k, x[i].x, x[i].y); \
                 out[(2 * k + 1) * n + i] = tex2D<float4>(l##k, x[i].x, x[i].y);
extern "C" __global__ void texture_floats(T p0, T l0, T p1, T l1, T p2, T l2, T p3, T l3, T p4, T l4, T p5, T l5, T p6,
                                          T l6, T p7, T l7, T p8, T l8, T p9, T l9, T p10, T l10, T p11, T l11, T p12,
                                          T l12, T p13, T l13, T p14, T l14, T p15, T l15, T p16, T l16, T p17, T l17,
                                          const float2* x, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  FETCH(0) FETCH(1) FETCH(2) FETCH(3) FETCH(4) FETCH(5) FETCH(6) FETCH(7) FETCH(8) FETCH(9) FETCH(10) FETCH(11)
  FETCH(12) FETCH(13) FETCH(14) FETCH(15) FETCH(16) FETCH(17)
}
