// A fake libcudart for tests: prints what a program that `warpwalk compile` made registers and launches.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Dim {
  unsigned x, y, z;
};
struct FatBinary {
  int magic, version;
  const char* data;
  void* unused;
};
struct Launch {
  Dim grid, block;
  std::size_t shared;
  void* stream;
} pushed;
const void* kernels[8];
std::string names[8];
int count = 0;

}  // namespace

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper) {
  static FatBinary* binary = nullptr;
  binary = static_cast<FatBinary*>(wrapper);
  const std::string text = binary->data;
  std::printf("fat binary %x version %d: %s, %s\n", static_cast<unsigned>(binary->magic), binary->version,
              text.find(".version") == std::string::npos ? "no PTX" : "PTX",
              text.find("triple") == std::string::npos ? "no kernel" : "with the kernel");
  return reinterpret_cast<void**>(&binary);
}
void __cudaRegisterFatBinaryEnd(void**) { std::printf("end\n"); }
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, void*, void*, void*, void*, int*) {
  kernels[count] = host;
  names[count++] = name;
}
void __cudaRegisterVar(void**, char*, char*, const char* name, int, std::size_t size, int constant, int) {
  std::printf("variable %s: %zu bytes%s\n", name, size, constant != 0 ? ", constant" : "");
}
unsigned __cudaPushCallConfiguration(Dim grid, Dim block, std::size_t shared, void* stream) {
  pushed = {grid, block, shared, stream};
  return 0;
}
int __cudaPopCallConfiguration(Dim* grid, Dim* block, std::size_t* shared, void* stream) {
  *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared;
  std::memcpy(stream, &pushed.stream, sizeof(void*));
  return 0;
}
int cudaLaunchKernel(const void* kernel, Dim grid, Dim block, void** arguments, std::size_t shared, void*) {
  for (int i = 0; i < count; ++i)
    if (kernels[i] == kernel)
      std::printf("%s<<<%u x %u, %u, %zu>>> %d\n", names[i].c_str(), grid.x, grid.y, block.x, shared,
                  *static_cast<int*>(arguments[1]));
  return 0;
}
int cudaMalloc(void** p, std::size_t bytes) {
  *p = std::malloc(bytes);
  return 0;
}
int cudaMemcpyToSymbol(const void*, const void*, std::size_t bytes, std::size_t, int kind) {
  std::printf("to symbol: %zu bytes, kind %d\n", bytes, kind);
  return 0;
}
int cudaDeviceSynchronize() { return 0; }
}
