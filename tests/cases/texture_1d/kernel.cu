// One-dimensional arrays: address modes and filters, with coordinates in texels (x) and normalized (u).
#define FETCH(k, at) out[k * n + i] = tex1D<float>(t##k, at);
#define T cudaTextureObject_t
extern "C" __global__ void texture_1d(T t0, T t1, T t2, T t3, T t4, T t5, T t6, T t7, T t8, T t9, T t10, T t11,
                                      const float* x, const float* u, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  FETCH(0, x[i]) FETCH(1, x[i]) FETCH(2, x[i]) FETCH(3, x[i])
  FETCH(4, u[i]) FETCH(5, u[i]) FETCH(6, u[i]) FETCH(7, u[i])
  FETCH(8, u[i]) FETCH(9, u[i]) FETCH(10, u[i]) FETCH(11, u[i])
}
