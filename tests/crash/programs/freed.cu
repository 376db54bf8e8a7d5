// Every thread writes to memory that was freed.
#include "cases.h"

__global__ void scale(float* data, float factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= factor;
}

void launch_freed() {
  float* const data = on_gpu(std::vector<float>(1 << 24, 1));
  check(cudaFree(data));
  scale<<<2, 64>>>(data, 2, 128);
}
