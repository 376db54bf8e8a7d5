// A lane's own array of 8, read at an index that comes from memory.
extern "C" __global__ void pick(const int* index, int* y) {
  int own[8];
  for (int k = 0; k < 8; ++k) own[k] = k * k + index[threadIdx.x];
  for (int k = 0; k < 8; ++k) own[index[threadIdx.x] & 7] += k;
  y[threadIdx.x] = own[index[threadIdx.x] * 4096];  // BUG: lanes 1 to 31 leave the array, and the stack
}
