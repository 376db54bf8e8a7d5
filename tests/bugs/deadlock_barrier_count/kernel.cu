// A barrier for 128 threads in a block of 64.
extern "C" __global__ void wait(int* y) {
  asm volatile("bar.sync 1, 128;" ::: "memory");  // BUG: no other thread will arrive
  y[threadIdx.x] = 1;
}
