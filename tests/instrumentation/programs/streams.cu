// Copies and kernels on two concurrent streams, inside NVTX ranges; at the end, one stream waits for the other.
#include <cstdio>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

namespace {

__global__ void scale(float* values, int count, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float value = values[i];
  for (int n = 0; n < 64; ++n) value = value * factor + 1e-3f;
  values[i] = value;
}

bool good(cudaError_t status, const char* what) {
  if (status != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  return status == cudaSuccess;
}

}  // namespace

int main() {
  constexpr int count = 1 << 20;
  constexpr std::size_t bytes = count * sizeof(float);
  cudaStream_t streams[2];
  float *host[2], *device[2];
  int least = 0, most = 0;
  if (!good(cudaDeviceGetStreamPriorityRange(&least, &most), "priorities")) return 1;
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreateWithPriority(&streams[s], cudaStreamNonBlocking, s == 0 ? most : least);
    cudaMallocHost(&host[s], bytes);
    cudaMalloc(&device[s], bytes);
    for (int i = 0; i < count; ++i) host[s][i] = static_cast<float>(i % 7);
    cudaMemsetAsync(device[s], 0, bytes, streams[s]);
  }
  for (int round = 0; round < 4; ++round) {
    nvtxRangePushA("round");
    for (int s = 0; s < 2; ++s) {
      cudaMemcpyAsync(device[s], host[s], bytes, cudaMemcpyHostToDevice, streams[s]);
      scale<<<(count + 255) / 256, 256, 1024, streams[s]>>>(device[s], count, 0.5f);
      cudaMemcpyAsync(host[s], device[s], bytes, cudaMemcpyDeviceToHost, streams[s]);
    }
    nvtxRangePop();
  }
  cudaEvent_t all_of_first;
  cudaEventCreateWithFlags(&all_of_first, cudaEventDisableTiming);
  cudaEventRecord(all_of_first, streams[0]);
  cudaStreamWaitEvent(streams[1], all_of_first, 0);
  nvtxMarkA("all launched");
  if (!good(cudaDeviceSynchronize(), "synchronise")) return 1;
  std::printf("%.6f %.6f\n", host[0][5], host[1][6]);
  for (int s = 0; s < 2; ++s) {
    cudaFree(device[s]);
    cudaFreeHost(host[s]);
    cudaStreamDestroy(streams[s]);
  }
  return 0;
}
