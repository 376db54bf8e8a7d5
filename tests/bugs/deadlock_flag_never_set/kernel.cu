// Everybody waits for a flag; the one who should set it compares with the wrong number.
extern "C" __global__ void flag(volatile int* go, int* y, int n) {
  if (threadIdx.x == n) *go = 1;
  while (*go == 0) {  // BUG: there is no thread n
  }
  y[threadIdx.x] = 1;
}
