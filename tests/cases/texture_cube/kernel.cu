// Cubemaps and layered cubemaps: point, linear within the face, linear across faces.
#define T cudaTextureObject_t
extern "C" __global__ void texture_cube(T a, T b, T c, T d, T e, const float* at, const int* layer, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2];
  out[i] = texCubemap<float>(a, x, y, z);
  out[n + i] = texCubemap<float>(b, x, y, z);
  out[2 * n + i] = texCubemap<float>(c, x, y, z);
  out[3 * n + i] = texCubemapLayered<float>(d, x, y, z, layer[i]);
  out[4 * n + i] = texCubemapLayered<float>(e, x, y, z, layer[i]);
}
