// Correct: every thread stores and fences, then the block meets, and one thread counts the block.
extern "C" __global__ void transform(const int* x, int* between, unsigned* finished, int* y) {
  __shared__ bool last;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  between[i] = 2 * x[i];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(finished, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last)
    for (unsigned k = threadIdx.x; k < gridDim.x * blockDim.x; k += blockDim.x) y[k] = between[k] + 1;
}
