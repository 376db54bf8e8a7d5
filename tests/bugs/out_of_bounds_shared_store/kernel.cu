// A store far past the end of a shared array of 4 KB.
extern "C" __global__ void scatter(const int* x, int* y) {
  __shared__ int table[1024];
  table[threadIdx.x] = 0;
  __syncthreads();
  table[threadIdx.x * 128] = x[threadIdx.x];  // BUG: reaches 63 * 128
  __syncthreads();
  y[threadIdx.x] = table[threadIdx.x];
}
