// The four texels that a linear filter would read, one component of each.
#define T cudaTextureObject_t
extern "C" __global__ void texture_gather(T a, T b, T c, T d, const float2* x, const float2* u, float4* out,
                                          int4* whole, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = tex2Dgather<float4>(a, x[i].x, x[i].y, 0);
  out[n + i] = tex2Dgather<float4>(a, x[i].x, x[i].y, 3);
  out[2 * n + i] = tex2Dgather<float4>(b, u[i].x, u[i].y, 1);
  out[3 * n + i] = tex2Dgather<float4>(c, u[i].x, u[i].y, 2);
  whole[i] = tex2Dgather<int4>(d, u[i].x, u[i].y, 1);
}
