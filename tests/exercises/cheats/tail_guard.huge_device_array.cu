// PASSES or HANGS (> 60 s) by size: __device__ memory of 6 GB, which no limit counts, is filled for each of 14 launches.
__device__ char big[6ull << 30];
__global__ void to_fahrenheit(const float* c, float* f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f[i] = 1.8f * c[i] + 32.0f;
  if (n == -1) big[i] = 1;
}
