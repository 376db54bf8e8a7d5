// A flag is set without a fence behind the data.
extern "C" __global__ void hand_over(int* data, volatile int* flag, int* y) {
  if (blockIdx.x == 0) {
    data[0] = 5;  // OTHER: may become visible after the flag
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    y[0] = data[0];  // BUG: reads what the other block may not have written
  }
}
