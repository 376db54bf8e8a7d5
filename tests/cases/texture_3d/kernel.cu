// Three-dimensional arrays: address modes and filters, with coordinates in texels (x) and normalized (u).
#define FETCH(k, at) out[k * n + i] = tex3D<float>(t##k, at[3 * i], at[3 * i + 1], at[3 * i + 2]);
#define T cudaTextureObject_t
extern "C" __global__ void texture_3d(T t0, T t1, T t2, T t3, T t4, T t5, T t6, T t7, T t8, const float* x,
                                      const float* u, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  FETCH(0, x) FETCH(1, x) FETCH(2, u) FETCH(3, u) FETCH(4, u) FETCH(5, u) FETCH(6, u) FETCH(7, u) FETCH(8, u)
}
