// Runs some kernels and then ends in the given way: segv, abort, kill (SIGKILL), fault (an invalid address on the GPU),
// exit (status 7), wait (for a signal).
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <unistd.h>

namespace {

__global__ void write(int* where) { *where = 1; }

}  // namespace

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "segv";
  int* good = nullptr;
  if (cudaMalloc(&good, sizeof(int)) != cudaSuccess) return 1;
  for (int n = 0; n < 20; ++n) write<<<1, 1>>>(good);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::puts("before the end");
  std::fflush(stdout);
  if (std::strcmp(how, "abort") == 0) std::abort();
  if (std::strcmp(how, "kill") == 0) usleep(300'000), raise(SIGKILL);
  if (std::strcmp(how, "exit") == 0) std::exit(7);
  if (std::strcmp(how, "wait") == 0) pause();
  if (std::strcmp(how, "fault") == 0) {
    write<<<1, 1>>>(nullptr);
    const cudaError_t status = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(status));
    return status == cudaSuccess ? 0 : 1;
  }
  if (std::strcmp(how, "segv") == 0) *reinterpret_cast<volatile int*>(8) = 1;
  return 2;
}
