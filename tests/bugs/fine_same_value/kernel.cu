// Commonly accepted as correct: all threads that find something write the same value.
extern "C" __global__ void any(const int* x, int* y) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (x[threadIdx.x] > 40) found = 1;
  __syncthreads();
  if (threadIdx.x == 0) *y = found;
}
