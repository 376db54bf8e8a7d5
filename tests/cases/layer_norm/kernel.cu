// Layer normalisation of half-precision rows of any length: mean and variance in f32, each in one shared-memory pass.
#include <cuda_fp16.h>

__device__ float block_sum(float v, float* scratch) {
  for (int by = 16; by > 0; by >>= 1) v += __shfl_xor_sync(~0u, v, by);
  __syncthreads();
  if ((threadIdx.x & 31) == 0) scratch[threadIdx.x >> 5] = v;
  __syncthreads();
  float sum = 0.0f;
  for (int w = 0; w < blockDim.x / 32; ++w) sum += scratch[w];
  return sum;
}

extern "C" __global__ void layer_norm(const __half* x, const float* gain, const float* bias, __half* y, int columns,
                                      float epsilon) {
  __shared__ float scratch[32];
  const __half* row = x + blockIdx.x * columns;
  float sum = 0.0f, squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += __half2float(row[c]);
  const float mean = block_sum(sum, scratch) / columns;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float d = __half2float(row[c]) - mean;
    squares += d * d;
  }
  const float inverse = rsqrtf(block_sum(squares, scratch) / columns + epsilon);
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    y[blockIdx.x * columns + c] = __float2half((__half2float(row[c]) - mean) * inverse * gain[c] + bias[c]);
}
