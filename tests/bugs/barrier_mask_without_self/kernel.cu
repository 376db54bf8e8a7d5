// __syncwarp with a mask that does not contain the calling lane.
extern "C" __global__ void mask(const int* x, int* y) {
  if (threadIdx.x < 16) __syncwarp(0xff00u);  // BUG: lanes 0 to 7 are not in it
  y[threadIdx.x] = x[threadIdx.x];
}
