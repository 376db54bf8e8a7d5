// A CUDA graph of a memset, three kernels and a copy, launched ten times; the memory comes from a pool.
#include <cstdio>
#include <cuda_runtime.h>

namespace {

__global__ void add_one(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += 1.0f;
}

}  // namespace

int main() {
  constexpr int count = 1 << 16, launches = 10;
  constexpr std::size_t bytes = count * sizeof(float);
  cudaStream_t stream;
  float* values = nullptr;
  float* host = nullptr;
  if (cudaStreamCreate(&stream) != cudaSuccess || cudaMallocAsync(&values, bytes, stream) != cudaSuccess ||
      cudaMallocHost(&host, bytes) != cudaSuccess)
    return 1;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(values, 0, bytes, stream);
  for (int k = 0; k < 3; ++k) add_one<<<count / 256, 256, 0, stream>>>(values, count);
  cudaMemcpyAsync(host, values, bytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  if (cudaGraphInstantiate(&ready, graph, 0) != cudaSuccess) return 1;
  for (int n = 0; n < launches; ++n) cudaGraphLaunch(ready, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 1;
  std::printf("%.1f\n", host[123]);
  cudaFreeAsync(values, stream);
  cudaStreamSynchronize(stream);
  return host[123] == 3.0f ? 0 : 1;
}
