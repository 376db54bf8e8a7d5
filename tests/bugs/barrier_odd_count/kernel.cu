// A named barrier for 48 threads: counts go in whole warps.
extern "C" __global__ void odd(const int* x, int* y) {
  asm volatile("bar.sync 1, %0;" ::"r"(x[0] + 48) : "memory");  // BUG: 48 is no multiple of 32
  y[threadIdx.x] = x[threadIdx.x];
}
