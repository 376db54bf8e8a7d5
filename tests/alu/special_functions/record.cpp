// Records the special functions of a GPU for whole binades, for fit.py.
//
//   nvcc -arch=sm_90 -cubin kernels.cu -o kernels.cubin
//   python3 fit.py patch kernels.cubin raw.cubin        replaces the factor 1 / (2 pi) of sin and cos by 1
//   g++ -std=c++20 -O2 -I$CUDA/include record.cpp -o record -lcuda
//   ./record raw.cubin FOLDER                           writes FOLDER/FUNCTION.EXPONENT
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda.h>

namespace {

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "record: %s failed with error %d\n", what, static_cast<int>(result));
  std::exit(1);
}

struct Binade {
  const char* function;
  int exponent;
};

constexpr Binade binades[] = {{"rcp", 0},    {"rsq", 0},    {"rsq", 1},    {"sqrt_", 0},  {"sqrt_", 1},
                              {"ex2", 0},    {"lg2", 0},    {"sin_", -3},  {"cos_", -3},  {"tanh_", -8},
                              {"tanh_", -7}, {"tanh_", -6}, {"tanh_", -5}, {"tanh_", -4}, {"tanh_", -3},
                              {"tanh_", -2}, {"tanh_", -1}, {"tanh_", 0},  {"tanh_", 1},  {"tanh_", 2}};
constexpr unsigned count = 1U << 23, block = 256, bias = 127;

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: record CUBIN FOLDER\n");
    return 2;
  }
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUdeviceptr out = 0;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuModuleLoad(&module, argv[1]), "cuModuleLoad");
  check(cuMemAlloc(&out, count * sizeof(unsigned)), "cuMemAlloc");
  std::vector<unsigned> results(count);
  for (const Binade& binade : binades) {
    CUfunction kernel = nullptr;
    check(cuModuleGetFunction(&kernel, module, binade.function), "cuModuleGetFunction");
    unsigned start = (bias + static_cast<unsigned>(binade.exponent)) << 23;
    void* arguments[] = {&out, &start};
    check(cuLaunchKernel(kernel, count / block, 1, 1, block, 1, 1, 0, nullptr, arguments, nullptr), "cuLaunchKernel");
    check(cuMemcpyDtoH(results.data(), out, count * sizeof(unsigned)), "cuMemcpyDtoH");
    const std::string path = std::string(argv[2]) + "/" + binade.function + "." + std::to_string(binade.exponent);
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr || std::fwrite(results.data(), sizeof(unsigned), count, file) != count) {
      std::fprintf(stderr, "record: %s cannot be written\n", path.c_str());
      return 1;
    }
    std::fclose(file);
  }
  return 0;
}
