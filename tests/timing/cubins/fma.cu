// Launches whose speed follows from the rate and the latency of one pipe.

/// A chain: each multiply-add needs the result of the one before. `rounds` times 64 of them per thread.
extern "C" __global__ void fma_chain(float* out, float a, float b, int rounds) {
  float x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int k = 0; k < 64; ++k) x = fmaf(x, a, b);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/// Eight chains that are independent of one another. `rounds` times 64 multiply-adds per thread.
extern "C" __global__ void fma_peak(float* out, float a, float b, int rounds) {
  float x[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = threadIdx.x + k;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int k = 0; k < 64; ++k) x[k % 8] = fmaf(x[k % 8], a, b);
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += x[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
