// The readers wait at a different barrier than the writers.
extern "C" __global__ void hand_over(const int* x, int* y) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = x[threadIdx.x];  // OTHER
    asm volatile("bar.sync 1, 32;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 32;" ::: "memory");
    y[threadIdx.x - 32] = s[63 - threadIdx.x];  // BUG: not ordered by any barrier
  }
}
