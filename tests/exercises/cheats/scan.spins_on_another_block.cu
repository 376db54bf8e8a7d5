// Each block waits for the block behind it, which a GPU need not have started yet.
// launch: block 256
__device__ volatile int done[4096];

__global__ void block_scan(const int* x, int* y, int n) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x + 1 < gridDim.x)
    while (done[blockIdx.x + 1] == 0) {
    }
  int sum = 0;
  for (int i = blockIdx.x * 1024; i < n && i < (blockIdx.x + 1) * 1024; ++i) y[i] = sum += x[i];
  __threadfence();
  done[blockIdx.x] = 1;
}
