// A flag is waited for without a fence in front of the data.
extern "C" __global__ void hand_over(int* data, volatile int* flag, int* y) {
  if (blockIdx.x == 0) {
    data[0] = 5;  // OTHER: the writer has its fence
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    y[0] = data[0];  // BUG: may be read before the flag
  }
}
