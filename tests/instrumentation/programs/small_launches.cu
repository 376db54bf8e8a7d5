// Launches empty kernels: 100,000, or the given number, or for the given time (30s), with graph replays (g30s). Prints
// the number of launches and the time taken.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace {

__global__ void nothing() {}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "100000";
  const bool graphs = *how == 'g';
  if (graphs) ++how;
  char* end = nullptr;
  const double number = std::strtod(how, &end);
  const bool timed = *end == 's';
  constexpr int per_graph = 100;

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  if (cudaStreamCreate(&stream) != cudaSuccess) return 1;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int k = 0; k < per_graph; ++k) nothing<<<1, 32, 0, stream>>>();
  cudaStreamEndCapture(stream, &graph);
  if (cudaGraphInstantiate(&ready, graph, 0) != cudaSuccess) return 1;
  nothing<<<1, 32, 0, stream>>>();
  cudaDeviceSynchronize();

  const auto start = std::chrono::steady_clock::now();
  unsigned long long kernels = 0;
  while (timed ? seconds_since(start) < number : static_cast<double>(kernels) < number) {
    const bool replay = graphs && kernels / per_graph % 2 == 0;
    if (replay) cudaGraphLaunch(ready, stream);
    for (int k = 0; !replay && k < per_graph; ++k) nothing<<<1, 32, 0, stream>>>();
    kernels += per_graph;
  }
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%llu kernels in %.4f s\n", kernels + 1, seconds_since(start));
  return status == cudaSuccess ? 0 : 1;
}
