// A table of 16 elements in constant memory, read at indices up to 31000.
__constant__ int table[16] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987};

extern "C" __global__ void look_up(const int* index, int* y) {
  y[threadIdx.x] = table[index[threadIdx.x] * 1000];  // BUG: beyond table[15]
}
