// Correct: threads of many blocks set a flag to the same value, and blocks fill a table with the same values.
extern "C" __global__ void search(const int* x, int wanted, int* found, int* squares, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] % 8 == wanted) *found = 1;
  if (threadIdx.x < 16) squares[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  y[i] = squares[x[i] % 16];
}
