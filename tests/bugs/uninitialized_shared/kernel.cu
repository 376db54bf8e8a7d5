// The accumulator in shared memory is never set to zero.
extern "C" __global__ void sum(const int* x, int* y) {
  __shared__ int total;
  atomicAdd(&total, x[threadIdx.x]);  // BUG: total is uninitialised
  __syncthreads();
  if (threadIdx.x == 0) *y = total;
}
