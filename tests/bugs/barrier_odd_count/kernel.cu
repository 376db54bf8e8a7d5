// A named barrier for 48 threads; the count must be a multiple of the warp size.
extern "C" __global__ void odd(const int* x, int* y) {
  asm volatile("bar.sync 1, %0;" ::"r"(x[0] + 48) : "memory");  // BUG: 48 is not a multiple of 32
  y[threadIdx.x] = x[threadIdx.x];
}
