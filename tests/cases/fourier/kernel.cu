// A radix-2 Fourier transform of 256 points in shared memory. The twiddles use sincospif, which has no approximations.
extern "C" __global__ void fourier(const float2* x, float2* y, float sign) {
  __shared__ float2 s[256];
  const int t = threadIdx.x;  // 128 threads
  for (int k = t; k < 256; k += 128) s[__brev((unsigned)k) >> 24] = x[blockIdx.x * 256 + k];
  for (int half = 1; half < 256; half <<= 1) {
    __syncthreads();
    const int at = t & (half - 1), low = (t - at) * 2 + at, high = low + half;
    float sine, cosine;
    sincospif(sign * at / half, &sine, &cosine);
    const float2 a = s[low], b = s[high];
    const float2 c = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    s[low] = make_float2(a.x + c.x, a.y + c.y), s[high] = make_float2(a.x - c.x, a.y - c.y);
  }
  __syncthreads();
  for (int k = t; k < 256; k += 128) y[blockIdx.x * 256 + k] = s[k];
}
