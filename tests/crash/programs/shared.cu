// Thread 40 writes past the end of the tile in shared memory.
#include "cases.h"

__global__ void scatter(const int* where, float* out) {
  __shared__ float tile[12288];
  tile[where[threadIdx.x]] = static_cast<float>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

void launch_shared() {
  std::vector<int> where = counting(64);
  where[40] = 20000;
  scatter<<<2, 64>>>(on_gpu(where), on_gpu(std::vector<float>(64)));
}
