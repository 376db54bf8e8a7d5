// Mipmaps: levels given directly, with point and linear filters between levels.
#define T cudaTextureObject_t
extern "C" __global__ void texture_mipmaps(T a, T b, T c, T d, T e, const float* at, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = at[3 * i], y = at[3 * i + 1], level = at[3 * i + 2];
  out[i] = tex2DLod<float>(a, x, y, level);
  out[n + i] = tex2DLod<float>(b, x, y, level);
  out[2 * n + i] = tex2DLod<float>(c, x, y, level);
  out[3 * n + i] = tex1DLod<float>(d, x, level);
  out[4 * n + i] = tex3DLod<float>(e, x, y, x + y, level);
}
