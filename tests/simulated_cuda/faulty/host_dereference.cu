// Planted: the host reads device memory as if it were its own.
#include <cstdio>

int main() {
  int* values = nullptr;
  cudaMalloc(&values, 100 * sizeof(int));
  cudaMemset(values, 0, 100 * sizeof(int));
#ifdef REPAIRED
  int first = 1;
  cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost);
#else
  const int first = values[0];
#endif
  std::printf("%d\n", first);
  cudaFree(values);
}
