// Planted: two functions free the same memory.
#include <cstdio>

struct Field {
  float* values = nullptr;
  void clear() { cudaFree(values); }
};

int main() {
  Field field;
  cudaMalloc(&field.values, 400);
  cudaMemset(field.values, 0, 400);
  field.clear();
#ifndef REPAIRED
  if (const cudaError_t error = cudaFree(field.values); error != cudaSuccess)
    std::printf("%s\n", cudaGetErrorString(error));
#endif
}
