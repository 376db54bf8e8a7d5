// Planted: the number of bytes was counted for a larger type.
#include <cstdio>

int main() {
#ifdef REPAIRED
  using Value = float;
#else
  using Value = double;
#endif
  float host[200] = {}, *values = nullptr;
  cudaMalloc(&values, 100 * sizeof(float));
  const cudaError_t error = cudaMemcpy(values, host, 100 * sizeof(Value), cudaMemcpyHostToDevice);
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
}
