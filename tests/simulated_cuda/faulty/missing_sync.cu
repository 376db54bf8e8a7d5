// Planted: the host reads managed memory before it has waited for the kernel that writes it.
#include <cstdio>

__global__ void square(float* values) { values[threadIdx.x] *= values[threadIdx.x]; }

int main() {
  float* values = nullptr;
  cudaMallocManaged(&values, 256 * sizeof(float));
  for (int i = 0; i < 256; ++i) values[i] = static_cast<float>(i);
  square<<<1, 256>>>(values);
#ifdef REPAIRED
  cudaDeviceSynchronize();
#endif
  float sum = 0;
  for (int i = 0; i < 256; ++i) sum += values[i];
  std::printf("%g\n", sum);
  cudaFree(values);
}
