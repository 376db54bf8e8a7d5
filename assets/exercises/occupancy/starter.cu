// Decodes n bytes: y[i] = table[code[i] / 16]. The table has 16 numbers; each thread block copies it to shared memory.
// Each thread decodes four bytes.
// launch: grid (n + 4 * 32 - 1) / (4 * 32), block 32, shared 32768
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
