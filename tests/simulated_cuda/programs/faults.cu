// printf of the device; kernels that end with an error, each in a process of its own, because the error stays.
#include <cassert>
#include <cstring>

#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

namespace {

__global__ void say(int* results) {
  results[0] = printf("no argument\n");
  results[1] = printf("%d %u %x %o %c %%\n", -5, 7u, 255u, 8u, 'w');
  results[2] = printf("[%5d] [%-5d] [%05d] [%+d]\n", 42, 42, 42, 42);
  results[3] = printf("%.3f %10.2e %g %f\n", 3.14159, 12345.678, 0.0001, 1.5f);
  results[4] = printf("%s and %s, %lld %llu %ld\n", "text", "more text", -1234567890123LL, 18446744073709551615ULL, 5L);
  results[5] = printf("[%10s] [%-10s] [%.2s]\n", "right", "left", "cut off");
  results[6] = printf("%5.1f%%|%#x|%i\n", 99.5, 255, -1);
}

__global__ void say_block(int round) {
  if (threadIdx.x == 0) printf("round %d\n", round);
}

__global__ void assert_small(int limit) {
  const int thread = static_cast<int>(threadIdx.x);
  assert(thread < limit);
}
__global__ void trap_at(unsigned thread) {
  if (threadIdx.x == thread) __trap();
}
__global__ void write_to(int* address) { *address = 1; }
__global__ void read_misaligned(const char* bytes, int* out) { *out = *reinterpret_cast<const int*>(bytes + 1); }

// What every call returns once a kernel has ended with an error.
void print_aftermath() {
  void* memory = nullptr;
  int device = 9, number = 0;
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  std::printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&memory, 16)));
  std::printf("stream: %s\n", cudaGetErrorName(cudaStreamSynchronize(nullptr)));
  std::printf("copy: %s\n", cudaGetErrorName(cudaMemcpy(&number, &device, 4, cudaMemcpyHostToHost)));
  say_block<<<1, 32>>>(1);
  std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("get device: %s\n", cudaGetErrorName(cudaGetDevice(&device)));
}

int child(const char* what) {
  int* memory = nullptr;
  NEED(cudaMalloc(&memory, 256));
  say_block<<<1, 32>>>(0);
  NEED(cudaDeviceSynchronize());
  if (std::strcmp(what, "assert that holds") == 0) assert_small<<<1, 32>>>(32);
  if (std::strcmp(what, "assert") == 0) assert_small<<<1, 32>>>(31);
  if (std::strcmp(what, "trap") == 0) trap_at<<<2, 64>>>(40);
  if (std::strcmp(what, "null pointer") == 0) write_to<<<1, 1>>>(nullptr);
  if (std::strcmp(what, "wild pointer") == 0) write_to<<<1, 1>>>(reinterpret_cast<int*>(0x7000000000000000));
  if (std::strcmp(what, "misaligned") == 0)
    read_misaligned<<<1, 1>>>(reinterpret_cast<const char*>(memory), memory + 8);
  std::printf("launched: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  print_aftermath();
  return 0;
}

void run_child(const char* what) {
  std::printf("-- %s\n", what);
  std::fflush(stdout);
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0) std::exit(1);
  const pid_t process = fork();
  if (process == 0) {
    execl(self, self, what, static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  waitpid(process, &status, 0);
  if (WIFEXITED(status))
    std::printf("exit status %d\n", WEXITSTATUS(status));
  else
    std::printf("signal %d\n", WTERMSIG(status));
}

void prints() {
  constexpr int count = 7;
  int *results = nullptr, host[count] = {};
  NEED(cudaMalloc(&results, sizeof host));
  say<<<1, 1>>>(results);
  std::fflush(stdout);
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost));
  for (const int result : host) std::printf("%d ", result);
  std::printf("\n");
  for (int round = 0; round < 3; ++round) say_block<<<1, 64>>>(round);
  std::fflush(stdout);
  SHOW(cudaDeviceSynchronize());
  NEED(cudaFree(results));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return child(argv[1]);
  prints();
  for (const char* const what : {"assert that holds", "assert", "trap", "null pointer", "wild pointer", "misaligned"})
    run_child(what);
  SHOW(cudaDeviceSynchronize());
  return finish();
}
