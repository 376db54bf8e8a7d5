// Planted: half of the threads of a block wait at a barrier that the others never reach.
#include <cstdio>

__global__ void sum_halves(int* values) {
  __shared__ int kept[64];
  kept[threadIdx.x] = values[threadIdx.x];
#ifdef REPAIRED
  __syncthreads();
  if (threadIdx.x < 32) values[threadIdx.x] = kept[threadIdx.x] + kept[threadIdx.x + 32];
#else
  if (threadIdx.x < 48) {
    __syncthreads();
    if (threadIdx.x < 32) values[threadIdx.x] = kept[threadIdx.x] + kept[threadIdx.x + 32];
  }
#endif
}

int main() {
  int host[64] = {}, *values = nullptr;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  sum_halves<<<1, 64>>>(values);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
}
