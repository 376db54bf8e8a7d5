// Correct: there is no local array, but 32 registers are too few. ptxas spills values of 16 bits and loads whole words.
#include <cuda_bf16.h>

struct alignas(16) Row {
  __nv_bfloat16 of[8];
};

extern "C" __global__ void __launch_bounds__(1024, 2) halves(const Row* x, const Row* w, Row* d, float* sums, int n) {
  extern __shared__ float shared[];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) shared[i] = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  for (int row = threadIdx.x / 32; row < n; row += blockDim.x / 32) {
    const int at = row * 32 + lane;
    float mean = 0, scale = 0;
    const Row a = x[at], b = w[lane];
    for (int k = 0; k < 8; ++k) {
      const float product = (float)a.of[k] * (float)b.of[k];
      mean += product;
      scale += product * (float)b.of[k];
    }
    for (int o = 16; o > 0; o /= 2) {
      mean += __shfl_xor_sync(0xffffffffu, mean, o);
      scale += __shfl_xor_sync(0xffffffffu, scale, o);
    }
    Row result = d[at];
    for (int k = 0; k < 8; ++k) {
      const float value = (float)a.of[k], norm = ((float)b.of[k] - mean) * scale, factor = (float)b.of[k] * value;
      atomicAdd(&shared[k * 32 + lane], value);
      atomicAdd(&shared[256 + k * 32 + lane], norm * value);
      result.of[k] = (__nv_bfloat16)((float)result.of[k] + (factor - mean - norm * scale) * scale);
    }
    d[at] = result;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += blockDim.x) atomicAdd(&sums[i], shared[i]);
}
