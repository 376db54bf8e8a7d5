// Correct: producers fill one half and arrive; consumers wait for it, read it, and return it.
extern "C" __global__ void pipeline(const int* x, int* y, int rounds) {
  __shared__ int half[2][32];
  const int t = threadIdx.x;
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    const int k = r & 1;
    if (t < 32) {
      if (r >= 2) asm volatile("bar.sync %0, 64;" ::"r"(3 + k) : "memory");
      half[k][t] = x[r * 32 + t];
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + k) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + k) : "memory");
      sum += half[k][63 - t];
      if (r + 2 < rounds) asm volatile("bar.arrive %0, 64;" ::"r"(3 + k) : "memory");
    }
  }
  if (t >= 32) y[t - 32] = sum;
}
