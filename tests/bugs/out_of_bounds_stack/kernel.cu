// A local array that is too large for registers, read at an index loaded from memory.
extern "C" __global__ void pick(const int* index, int* y) {
  int own[64];
  for (int k = 0; k < 64; ++k) own[k] = k * k + index[threadIdx.x];
  for (int k = 0; k < 64; ++k) own[index[threadIdx.x] * k & 63] += k;
  y[threadIdx.x] = own[index[threadIdx.x] * 4096];  // BUG: lanes 1 to 31 read past the array and the stack
}
