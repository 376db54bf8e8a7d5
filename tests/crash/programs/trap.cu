// Thread 5 of block 1 finds a NaN and traps.
#include <cmath>

#include "cases.h"

__global__ void refuse_nan(const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] != x[i]) __trap();
  out[i] = x[i] + 1;
}

void launch_trap() {
  std::vector<float> x(128, 1);
  x[64 + 5] = NAN;
  refuse_nan<<<2, 64>>>(on_gpu(x), on_gpu(std::vector<float>(128)));
}
