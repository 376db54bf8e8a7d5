// The weights of linear filters: texel i holds i, so that a fetch returns its position in units of 1/256.
#define T cudaTextureObject_t
extern "C" __global__ void texture_weights(T a, T b, T c, T d, T e, T f, const float* x, const float* u, float* out,
                                           int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = tex1D<float>(a, x[i]);
  out[n + i] = tex1D<float>(b, u[i]);
  out[2 * n + i] = tex1D<float>(c, u[i]);
  out[3 * n + i] = tex1D<float>(d, u[i]);
  out[4 * n + i] = tex1D<float>(e, u[i]);
  out[5 * n + i] = tex1D<float>(f, u[i]);
}
