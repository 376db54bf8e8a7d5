// A stencil in place: the barrier orders the threads of a block, but not the neighbouring block.
extern "C" __global__ void smooth(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int left = i > 0 ? x[i - 1] : 0;
  const int right = i + 1 < n ? x[i + 1] : 0;  // OTHER: the first word of the next block
  __syncthreads();
  x[i] = left + right;  // BUG: neighbours in other blocks may still read it
}
