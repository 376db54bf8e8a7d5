// Planted: a sum starts from memory that nobody has set.
#include <cstdio>

__global__ void accumulate(int* sum, int value) { *sum += value; }

int main() {
  int *sum = nullptr, host = 0;
  cudaMalloc(&sum, sizeof(int));
#ifdef REPAIRED
  cudaMemset(sum, 0, sizeof(int));
#endif
  accumulate<<<1, 1>>>(sum, 3);
  cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
  cudaFree(sum);
}
