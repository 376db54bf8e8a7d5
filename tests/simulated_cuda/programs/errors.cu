// Errors: their names and texts, how long the last one is kept and for which thread.
#include <cstring>
#include <thread>

#include "check.h"

namespace {

__global__ void nothing() {}

void print_last(const char* when) {
  const cudaError_t peeked = cudaPeekAtLastError(), taken = cudaGetLastError(), after = cudaGetLastError();
  std::printf("%s: peek %s, last %s, then %s\n", when, cudaGetErrorName(peeked), cudaGetErrorName(taken),
              cudaGetErrorName(after));
}

void names() {
  const char* const unknown = cudaGetErrorName(static_cast<cudaError_t>(9990));
  for (int code = 0; code < 1100; ++code) {
    const auto error = static_cast<cudaError_t>(code);
    const char* const name = cudaGetErrorName(error);
    if (std::strcmp(name, unknown) != 0) std::printf("%d %s: %s\n", code, name, cudaGetErrorString(error));
  }
  std::printf("unknown: %s: %s\n", unknown, cudaGetErrorString(static_cast<cudaError_t>(9990)));
  std::printf("negative: %s\n", cudaGetErrorName(static_cast<cudaError_t>(-1)));
}

void last_error() {
  void* memory = nullptr;
  int value = 0;
  print_last("at first");
  std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&memory, std::size_t{1} << 60)));
  print_last("after a failed malloc");
  std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&memory, std::size_t{1} << 60)));
  std::printf("good malloc: %s\n", cudaGetErrorName(cudaMalloc(&memory, 64)));
  print_last("a call that succeeds does not clear it");
  cudaMalloc(nullptr, 16);
  cudaMemcpy(memory, &value, 4, static_cast<cudaMemcpyKind>(9));
  cudaSetDevice(-7);
  print_last("after three errors");
  nothing<<<1, 2048>>>();
  print_last("after a launch");
  nothing<<<0, 32>>>();
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  print_last("after a launch and synchronise");
  nothing<<<1, 2048>>>();
  nothing<<<1, 32>>>();
  print_last("after a wrong and a right launch");
  cudaFree(static_cast<char*>(memory) + 1);
  print_last("after a wrong free");
  cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0);
  print_last("after a wrong attribute");
  cudaPointerAttributes attributes{};
  std::printf("attributes of a stack variable: %s\n", cudaGetErrorName(cudaPointerGetAttributes(&attributes, &value)));
  print_last("after them");
  // Not ready is an answer and no error.
  cudaStream_t stream = nullptr;
  NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Gate gate;
  gate.close(stream);
  std::printf("query: %s\n", cudaGetErrorName(cudaStreamQuery(stream)));
  print_last("after a query");
  gate.open();
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  NEED(cudaStreamDestroy(stream));
  NEED(cudaFree(memory));
  print_last("at last");
}

void threads() {
  cudaMalloc(nullptr, 16);
  std::thread([] {
    print_last("in another thread");
    cudaSetDevice(-1);
    std::printf("its error: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  }).join();
  print_last("in the first thread");
}

}  // namespace

int main() {
  names();
  nothing<<<1, 32>>>();
  NEED(cudaDeviceSynchronize());
  last_error();
  threads();
  return finish();
}
