// The compiler's 128-bit integers: carry chains, and division in 64-bit steps.
extern "C" __global__ void integers_128(const unsigned long long* a, const unsigned long long* b, unsigned long long* y,
                                        int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned __int128 p = ((unsigned __int128)a[i] << 64) | b[i];
  const unsigned __int128 q = ((unsigned __int128)b[n - 1 - i] << 64) | a[n - 1 - i];
  const unsigned __int128 results[4] = {p + q, p - q, p * q, (p >> (a[i] & 127)) ^ (q << (b[i] & 63))};
  for (int k = 0; k < 4; ++k) {
    y[i * 10 + 2 * k] = (unsigned long long)results[k];
    y[i * 10 + 2 * k + 1] = (unsigned long long)(results[k] >> 64);
  }
  y[i * 10 + 8] = p < q;
  y[i * 10 + 9] = (unsigned long long)((__int128)p < (__int128)q);
}
