// Thread 0 fills the table with one element fewer than is read.
extern "C" __global__ void table(int* y, int rows) {
  extern __shared__ int squares[];
  if (threadIdx.x == 0)
    for (int k = 0; k < rows - 1; ++k) squares[k] = k * k;
  __syncthreads();
  if (threadIdx.x < rows) y[threadIdx.x] = squares[threadIdx.x];  // BUG: squares[rows - 1]
}
