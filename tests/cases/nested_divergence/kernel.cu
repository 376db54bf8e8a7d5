// Nested branches on both sides and around loops; lanes reconverge after each.
extern "C" __global__ void nested_divergence(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = x[i];
  if (v & 1) {
    if (v & 2) {
      for (int k = 0; k < (v & 15); ++k) v = v * 3 + k;
      if (v & 4) v ^= 0x5a5a;
    } else if (v & 8) {
      v -= 17;
    } else {
      v = ~v;
      while (v > 100) v >>= 1;
    }
    v += 5;
  } else {
    if (v % 3 == 0) {
      v /= 3;
      if (v % 3 == 0) {
        v /= 3;
        if (v % 3 == 0) v = v / 3 + 1000;
      }
    }
    v = (v & 4 && v & 16) || (v & 32 && !(v & 64)) ? v + 7 : v - 7;
  }
  y[i] = v;
}
