// A local array of 8 elements, read at an index loaded from memory.
extern "C" __global__ void pick(const int* index, int* y) {
  int own[8];
  for (int k = 0; k < 8; ++k) own[k] = k * k + index[threadIdx.x];
  for (int k = 0; k < 8; ++k) own[index[threadIdx.x] & 7] += k;
  y[threadIdx.x] = own[index[threadIdx.x] * 4096];  // BUG: lanes 1 to 31 read past the array and the stack
}
