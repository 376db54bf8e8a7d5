// Formats that are read as integers, with one, two and four channels.
#define T cudaTextureObject_t
#define SIGNED(k) out[k * n + i] = tex2D<int4>(t##k, x[i].x, x[i].y);
#define UNSIGNED(k) { const uint4 v = tex2D<uint4>(t##k, x[i].x, x[i].y); \
                      out[k * n + i] = make_int4(v.x, v.y, v.z, v.w); }
extern "C" __global__ void texture_integers(T t0, T t1, T t2, T t3, T t4, T t5, T t6, T t7, T t8, T t9, T t10, T t11,
                                            T t12, T t13, T t14, T t15, T t16, T t17, const float2* x, int4* out,
                                            int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  UNSIGNED(0) UNSIGNED(1) UNSIGNED(2) SIGNED(3) SIGNED(4) SIGNED(5)
  UNSIGNED(6) UNSIGNED(7) UNSIGNED(8) SIGNED(9) SIGNED(10) SIGNED(11)
  UNSIGNED(12) UNSIGNED(13) UNSIGNED(14) SIGNED(15) SIGNED(16) SIGNED(17)
}
