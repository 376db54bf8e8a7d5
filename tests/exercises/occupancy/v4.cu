// Blocks of 256 threads, which fill all warps of an SM.
// launch: grid (n + 4 * 256 - 1) / (4 * 256), block 256, shared 4 * 16
__global__ void decode(const unsigned char* code, const float* table, float* y, int n) {
  extern __shared__ float local[];
  if (threadIdx.x < 16) local[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  int first = blockIdx.x * 4 * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    int i = first + k * blockDim.x;
    if (i < n) y[i] = local[code[i] / 16];
  }
}
