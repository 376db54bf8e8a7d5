// Runs one faulty program: crash NAME. Its GPU core dump is what tests/crash/record.py keeps.
#include <cstring>

#include "cases.h"

#define CASES(X)                                                                                          \
  X(freed) X(null) X(misaligned) X(shared) X(stack) X(local) X(assertion) X(trap) X(jump) X(cluster) X(barrier) \
  X(named) X(mbarrier) X(spin) X(lock) X(lanes)
#define DECLARE(name) void launch_##name();
#define ROW(name) {#name, launch_##name},
CASES(DECLARE)
constexpr Case cases[] = {CASES(ROW)};

int main(int argc, char** argv) {
  for (const Case& c : cases) {
    if (argc != 2 || std::strcmp(c.name, argv[1]) != 0) continue;
    c.launch();
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    return 0;
  }
  std::printf("usage: crash NAME\n");
  return 2;
}
