// The warps of a block exchange words through global memory without a barrier.
extern "C" __global__ void reverse(int* x, int* y) {
  x[threadIdx.x] = 3 * threadIdx.x;  // OTHER: another warp reads it
  y[threadIdx.x] = x[blockDim.x - 1 - threadIdx.x];  // BUG: needs a __syncthreads() before
}
