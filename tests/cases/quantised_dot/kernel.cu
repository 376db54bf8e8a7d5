// Blocks of 32 4-bit weights with a half-precision scale, times 8-bit activations: unpacked with masks, summed with
// dp4a.
#include <cuda_fp16.h>

struct Weights {
  __half scale;
  unsigned short pad;
  unsigned packed[4];
};

extern "C" __global__ void quantised_dot(const Weights* w, const int* activations, const float* scales, float* y,
                                         int rows, int blocks) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int b = lane; b < blocks; b += 32) {
    const Weights block = w[row * blocks + b];
    int dot = 0;
    for (int k = 0; k < 4; ++k) {
      const int low = (int)(block.packed[k] & 0x0f0f0f0fu), high = (int)((block.packed[k] >> 4) & 0x0f0f0f0fu);
      dot = __dp4a(low, activations[b * 8 + 2 * k], dot);
      dot = __dp4a((int)__vsub4((unsigned)high, 0x08080808u), activations[b * 8 + 2 * k + 1], dot);
    }
    sum += __half2float(block.scale) * scales[b] * (float)dot;
  }
  for (int by = 16; by > 0; by >>= 1) sum += __shfl_xor_sync(~0u, sum, by);
  if (lane == 0) y[row] = sum;
}
