// Layered arrays of one and two dimensions. Layers outside the array are clamped.
#define T cudaTextureObject_t
extern "C" __global__ void texture_layers(T a, T b, T c, T d, const float2* x, const int* layer, float* lines,
                                          float2* planes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  lines[i] = tex1DLayered<float>(a, x[i].x, layer[i]);
  lines[n + i] = tex1DLayered<float>(b, x[i].x, layer[i]);
  planes[i] = tex2DLayered<float2>(c, x[i].x, x[i].y, layer[i]);
  planes[n + i] = tex2DLayered<float2>(d, x[i].x, x[i].y, layer[i]);
}
