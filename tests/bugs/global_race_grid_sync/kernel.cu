// A cooperative grid without the grid.sync() between two passes.
extern "C" __global__ void passes(const int* x, int* between, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  between[i] = 2 * x[i];  // OTHER: a __syncthreads() does not order blocks
  __syncthreads();
  y[i] = between[n - 1 - i];  // BUG: another block writes it
}
