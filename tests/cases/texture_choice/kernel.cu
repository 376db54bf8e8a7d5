// Handles that differ between the lanes of a warp.
#define T cudaTextureObject_t
extern "C" __global__ void texture_choice(T a, T b, T c, const float2* x, const int* which, float* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const T all[3] = {a, b, c};
  out[i] = tex2D<float>(all[which[i]], x[i].x, x[i].y);
  out[n + i] = tex2D<float>(all[which[n - 1]], x[i].x, x[i].y);
  out[2 * n + i] = which[i] == 1 ? tex2DLod<float>(b, x[i].x, x[i].y, 0.0f) : tex2D<float>(all[which[i]], x[i].y, 1.0f);
}
