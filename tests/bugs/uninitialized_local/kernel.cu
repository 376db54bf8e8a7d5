// A local array in which only every second element is set.
extern "C" __global__ void gaps(const int* x, int* y) {
  int own[16];
  for (int k = 0; k < 16; k += 2) own[(k + x[threadIdx.x]) & 14] = k;
  y[threadIdx.x] = own[x[threadIdx.x] & 15];  // BUG: odd elements are uninitialised
}
