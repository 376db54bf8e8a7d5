// The rounding of linear filters for each format.
#define T cudaTextureObject_t
extern "C" __global__ void texture_rounding(T line, T plane, T volume, T half, T u8, T i8, T u16, T i16, T close,
                                            const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
  out[i] = tex1D<float>(line, a);
  out[n + i] = tex2D<float>(plane, a, b);
  out[2 * n + i] = tex3D<float>(volume, a, b, c);
  out[3 * n + i] = tex2D<float>(half, a, b);
  out[4 * n + i] = tex2D<float>(u8, a, b);
  out[5 * n + i] = tex2D<float>(i8, a, b);
  out[6 * n + i] = tex2D<float>(u16, a, b);
  out[7 * n + i] = tex2D<float>(i16, a, b);
  out[8 * n + i] = tex1D<float>(close, a);
}
