// Textures over linear memory (tex1Dfetch) and over rows with a pitch.
#define T cudaTextureObject_t
extern "C" __global__ void texture_linear_memory(T a, T b, T c, T d, T e, T f, T g, T h, const int* index,
                                                 const float2* x, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float r = tex1Dfetch<float>(a, index[i]);
  const float2 s = tex1Dfetch<float2>(b, index[i]);
  const int w = tex1Dfetch<int>(c, index[i]);
  out[i] = make_float4(r, s.x, s.y, __int_as_float(w));
  out[n + i] = tex1Dfetch<float4>(d, index[i]);
  const ushort2 u = tex1Dfetch<ushort2>(e, index[i]);
  out[2 * n + i] = make_float4(__uint_as_float(u.x), __uint_as_float(u.y), 0, 0);
  out[3 * n + i] = tex2D<float4>(f, x[i].x, x[i].y);
  out[4 * n + i] = tex2D<float4>(g, x[i].x, x[i].y);
  out[5 * n + i] = tex2D<float4>(h, x[i].x, x[i].y);
}
