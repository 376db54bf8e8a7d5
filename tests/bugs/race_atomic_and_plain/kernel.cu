// One thread reads the counter while others still add to it.
extern "C" __global__ void count(const int* x, int* y) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, x[threadIdx.x]);  // OTHER
  if (threadIdx.x == 40) *y = total;  // BUG: no barrier after the additions
}
