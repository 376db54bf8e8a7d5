// Thread 70 of block 1 has a negative probability.
#include <cassert>

#include "cases.h"

__global__ void sample(const float* probability, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(probability[i] >= 0.0f);
  out[i] = probability[i] * 2;
}

void launch_assertion() {
  std::vector<float> probability(256, 0.5f);
  probability[128 + 70] = -1;
  sample<<<2, 128>>>(on_gpu(probability), on_gpu(std::vector<float>(256)));
}
