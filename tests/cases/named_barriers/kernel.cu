// Named barriers with thread counts: producers fill a buffer and only arrive, consumers wait; two pairs of barriers.
__device__ void wait(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
__device__ void arrive(int id, int threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

extern "C" __global__ void named_barriers(const int* x, int* y, int rounds) {
  __shared__ int buffer[2][64];
  const int t = threadIdx.x;  // 128 threads: 0-63 produce, 64-127 consume
  if (t < 64) {
    for (int r = 0; r < rounds; ++r) {
      const int half = r & 1;
      if (r >= 2) wait(3 + half, 128);  // emptied
      buffer[half][t] = x[r * 64 + t] * (r + 1);
      arrive(1 + half, 128);  // full
    }
  } else {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      const int half = r & 1;
      wait(1 + half, 128);
      sum = sum * 3 + buffer[half][(t * 5 + r) & 63];
      if (r + 2 < rounds) arrive(3 + half, 128);
    }
    y[t - 64] = sum;
  }
}
