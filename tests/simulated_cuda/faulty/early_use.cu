// Planted: a stream uses memory, and frees other memory, that another stream allocates, without waiting for it.
#include <cstdio>

__global__ void fill(int* values) { values[threadIdx.x] = threadIdx.x; }

int main() {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t allocated;
  cudaEventCreateWithFlags(&allocated, cudaEventDisableTiming);
  int *used = nullptr, *freed = nullptr;
  cudaMallocAsync((void**)&used, 256, first);
  cudaMallocAsync((void**)&freed, 512, first);
#ifdef REPAIRED
  cudaEventRecord(allocated, first);
  cudaStreamWaitEvent(second, allocated);
#endif
  fill<<<1, 64, 0, second>>>(used);
  cudaFreeAsync(freed, second);
  cudaStreamSynchronize(second);
  cudaFreeAsync(used, first);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaEventDestroy(allocated);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
