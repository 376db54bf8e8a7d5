// Planted: a kernel gets a pointer to memory of the host.
#include <cstdio>
#include <vector>

__global__ void add(float* to, const float* from) { to[threadIdx.x] += from[threadIdx.x]; }

int main() {
  std::vector<float> host(64, 1.0f);
  float *to = nullptr, *from = nullptr;
  const std::size_t bytes = host.size() * sizeof(float);
  cudaMalloc(&to, bytes);
  cudaMalloc(&from, bytes);
  cudaMemset(to, 0, bytes);
  cudaMemcpy(from, host.data(), bytes, cudaMemcpyHostToDevice);
#ifdef REPAIRED
  add<<<1, 64>>>(to, from);
#else
  add<<<1, 64>>>(to, host.data());
#endif
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(from);
  cudaFree(to);
}
