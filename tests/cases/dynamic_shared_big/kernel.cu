// 96 KB of dynamic shared memory, which requires an opt-in: a table that 64 threads fill and read with large strides.
extern __shared__ unsigned table[];

extern "C" __global__ void dynamic_shared_big(const unsigned* x, unsigned* y, int words) {
  for (int k = threadIdx.x; k < words; k += blockDim.x) table[k] = (unsigned)k * 2654435761u ^ x[k % blockDim.x];
  __syncthreads();
  unsigned sum = 0;
  for (int k = 0; k < 16; ++k) {
    const unsigned at = (x[threadIdx.x] * (2u * k + 1u) + k * 6151u) % words;
    sum = sum * 31u + table[at];
  }
  y[threadIdx.x] = sum + table[words - 1 - threadIdx.x];
}
