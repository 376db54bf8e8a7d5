// Planted: three launches of different sizes read what nobody has set.
#include <cstdio>

__global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  int *from = nullptr, *to = nullptr;
  cudaMalloc(&from, 512);
  cudaMalloc(&to, 512);
#ifdef REPAIRED
  cudaMemset(from, 0, 512);
#endif
  for (int threads = 32; threads <= 128; threads *= 2) copy<<<1, threads>>>(from, to);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(from);
  cudaFree(to);
}
