// One half of a warp writes and the other half reads, on the two sides of a branch.
extern "C" __global__ void halves(const int* x, int* y) {
  __shared__ int s[16];
  const int lane = threadIdx.x;
  if (lane < 16) {
    s[lane] = x[lane] * 3;  // OTHER
  } else {
    y[lane] = s[lane - 16];  // BUG: the order of the two sides is undefined
  }
}
