// Planted: memory is freed before the copy that reads it.
#include <cstdio>

__global__ void count(int* values) { values[threadIdx.x] = threadIdx.x; }

int main() {
  int host[32] = {}, *values = nullptr;
  cudaMalloc(&values, sizeof host);
  count<<<1, 32>>>(values);
#ifndef REPAIRED
  cudaFree(values);
#endif
  const cudaError_t error = cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetErrorString(error));
#ifdef REPAIRED
  cudaFree(values);
#endif
}
