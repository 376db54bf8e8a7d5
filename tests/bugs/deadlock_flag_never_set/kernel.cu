// All threads wait for a flag; the thread that should set it is compared with the wrong number.
extern "C" __global__ void flag(volatile int* go, int* y, int n) {
  if (threadIdx.x == n) *go = 1;
  while (*go == 0) {  // BUG: there is no thread n
  }
  y[threadIdx.x] = 1;
}
