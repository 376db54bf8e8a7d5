// A barrier in a loop whose iteration count differs between lanes.
extern "C" __global__ void loops(const int* x, int* y) {
  int sum = 0;
  for (int k = 0; k < x[threadIdx.x] % 4; ++k) {
    sum += k;
    __syncthreads();  // BUG: lanes reach it 0 to 3 times
  }
  y[threadIdx.x] = sum;
}
