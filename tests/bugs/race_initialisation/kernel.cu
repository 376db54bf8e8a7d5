// Thread 0 sets the total to zero, but the others do not wait for it.
extern "C" __global__ void sum(const int* x, int* y) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;    // OTHER
  atomicAdd(&total, x[threadIdx.x]);  // BUG: may run before total is zero
  __syncthreads();
  if (threadIdx.x == 0) *y = total;
}
