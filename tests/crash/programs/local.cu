// Thread 3 indexes an array of 64 numbers in local memory with 1,000,000.
#include "cases.h"

__global__ void permute(const int* order, int* out) {
  int values[64];
  for (int i = 0; i < 64; ++i) values[order[i] & 63] = i * threadIdx.x;
  out[threadIdx.x] = values[order[64 + threadIdx.x]];
}

void launch_local() {
  std::vector<int> order = counting(128);
  for (int i = 64; i < 128; ++i) order[i] -= 64;
  order[64 + 3] = 1000000;
  permute<<<1, 64>>>(on_gpu(order), on_gpu(counting(64)));
}
