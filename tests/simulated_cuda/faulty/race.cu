// Planted: no barrier between the writes and the reads of shared memory.
#include <cstdio>

__global__ void reverse(int* values) {
  __shared__ int kept[64];
  kept[threadIdx.x] = values[threadIdx.x];
#ifdef REPAIRED
  __syncthreads();
#endif
  values[threadIdx.x] = kept[63 - threadIdx.x];
}

int main() {
  int host[64], *values = nullptr;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  reverse<<<1, 64>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(values);
}
