// Lanes of a warp exchange words through global memory without __syncwarp().
extern "C" __global__ void swap(int* x, int* y) {
  const int lane = threadIdx.x;
  if (lane < 16) x[lane] = lane;  // OTHER: the upper half reads it
  if (lane >= 16) y[lane] = x[31 - lane];  // BUG: needs a __syncwarp() before
}
