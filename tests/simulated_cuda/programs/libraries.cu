// Libraries of kernels loaded from PTX, by runtime and driver; linking of PTX; addresses of the driver's functions.
#include <cstring>

#include "check_driver.h"

namespace {

constexpr int count = 8;

const char caller_ptx[] = R"(
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 result) twice(.param .b32 value);
.visible .entry call_twice(.param .u64 call_twice_values)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [call_twice_values];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r2, [%rd4];
  {
    .param .b32 to_pass;
    .param .b32 returned;
    st.param.b32 [to_pass], %r2;
    call.uni (returned), twice, (to_pass);
    ld.param.b32 %r3, [returned];
  }
  st.global.u32 [%rd4], %r3;
  ret;
}
)";
const char callee_ptx[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .func (.param .b32 result) twice(.param .b32 value)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [value];
  add.s32 %r2, %r1, %r1;
  st.param.b32 [result], %r2;
  ret;
}
)";

void print_values(const char* what, const float* device) {
  float host[count] = {};
  NEED(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("%s:", what);
  for (const float value : host) std::printf(" %.2f", value);
  std::printf("\n");
}

void runtime_library(float* values) {
#if CUDART_VERSION >= 12080
  cudaLibrary_t library = nullptr, none = nullptr;
  cudaKernel_t scale = nullptr, missing = nullptr;
  void* address = nullptr;
  std::size_t size = 0;
  unsigned kernels = 0;
  SHOW(cudaLibraryLoadData(&library, module_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(cudaLibraryLoadData(&none, "nothing of the kind", nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(cudaLibraryGetKernelCount(&kernels, library));
  std::printf("kernels %u\n", kernels);
  SHOW(cudaLibraryGetKernel(&scale, library, "scale"));
  SHOW(cudaLibraryGetKernel(&missing, library, "missing"));
  SHOW(cudaLibraryGetGlobal(&address, &size, library, "launches"));
  std::printf("size %zu\n", size);
  SHOW(cudaLibraryGetGlobal(&address, &size, library, "missing"));
  NEED(cudaLibraryGetGlobal(&address, &size, library, "launches"));
  int n = count, launches = 0;
  void* arguments[] = {&values, &n};
  SHOW(cudaLaunchKernel(reinterpret_cast<const void*>(scale), dim3(1), dim3(32), arguments, 0, nullptr));
  SHOW(cudaMemcpy(&launches, address, sizeof launches, cudaMemcpyDeviceToHost));
  std::printf("launches %d\n", launches);
  print_values("values", values);
  cudaFuncAttributes attributes{};
  SHOW(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(scale)));
  std::printf("threads %d\n", attributes.maxThreadsPerBlock);
  SHOW(cudaLibraryUnload(library));
#endif
}

void driver_library(float* values) {
  CUlibrary library = nullptr;
  CUkernel scale = nullptr, missing = nullptr;
  CUfunction function = nullptr;
  CUmodule module = nullptr;
  CUdeviceptr global = 0;
  std::size_t size = 0;
  SHOW(cuLibraryLoadData(&library, module_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(cuLibraryGetKernel(&scale, library, "scale"));
  SHOW(cuLibraryGetKernel(&missing, library, "missing"));
  SHOW(cuLibraryGetGlobal(&global, &size, library, "weights"));
  std::printf("size %zu\n", size);
  SHOW(cuLibraryGetModule(&module, library));
  SHOW(cuKernelGetFunction(&function, scale));
  int threads = 0;
  SHOW(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale, 0));
  std::printf("threads %d\n", threads);
  const char* name = nullptr;
  SHOW(cuKernelGetName(&name, scale));
  std::printf("name %s\n", name);
  SHOW(cuFuncGetName(&name, function));
  std::printf("name %s\n", name);
  const float tens[4] = {10, 10, 10, 10};
  SHOW(cuMemcpyHtoD(global, tens, sizeof tens));
  int n = count;
  void* arguments[] = {&values, &n};
  SHOW(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  print_values("as a function", values);
  SHOW(cuLaunchKernel(reinterpret_cast<CUfunction>(scale), 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  print_values("as a kernel", values);
  SHOW(cuLibraryUnload(library));
}

void linked() {
  CUlinkState link = nullptr;
  char errors[4096] = {};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* option_values[] = {errors, reinterpret_cast<void*>(sizeof errors)};
  SHOW(cuLinkCreate(2, options, option_values, &link));
  SHOW(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(caller_ptx), sizeof caller_ptx, "caller", 0, nullptr,
                     nullptr));
  SHOW(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(callee_ptx), sizeof callee_ptx, "callee", 0, nullptr,
                     nullptr));
  void* image = nullptr;
  std::size_t size = 0;
  SHOW(cuLinkComplete(link, &image, &size));
  check(image != nullptr && size > 0 && std::memcmp(image, "\177ELF", 4) == 0, "the result is an ELF file");
  CUmodule module = nullptr;
  CUfunction call_twice = nullptr;
  SHOW(cuModuleLoadData(&module, image));
  SHOW(cuLinkDestroy(link));
  SHOW(cuModuleGetFunction(&call_twice, module, "call_twice"));
  int host[4] = {1, 2, 30, -4};
  CUdeviceptr device = 0;
  NEED(cuMemAlloc(&device, sizeof host));
  NEED(cuMemcpyHtoD(device, host, sizeof host));
  void* arguments[] = {&device};
  SHOW(cuLaunchKernel(call_twice, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  NEED(cuMemcpyDtoH(host, device, sizeof host));
  std::printf("twice %d %d %d %d\n", host[0], host[1], host[2], host[3]);
  NEED(cuMemFree(device));
  SHOW(cuModuleUnload(module));
  // A function that nobody defines. The link before has written the length of its log over the size of the buffer.
  option_values[1] = reinterpret_cast<void*>(sizeof errors);
  NEED(cuLinkCreate(2, options, option_values, &link));
  SHOW(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(caller_ptx), sizeof caller_ptx, "caller", 0, nullptr,
                     nullptr));
  SHOW(cuLinkComplete(link, &image, &size));
  check(std::strstr(errors, "twice") != nullptr, "the log names it");
  SHOW(cuLinkDestroy(link));
}

void addresses() {
  void *by_driver = nullptr, *by_runtime = nullptr;
  CUdriverProcAddressQueryResult found{};
  cudaDriverEntryPointQueryResult state{};
  SHOW(cuGetProcAddress("cuDeviceGetCount", &by_driver, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  std::printf("found %d\n", found);
  int devices = 0;
  SHOW(reinterpret_cast<CUresult (*)(int*)>(by_driver)(&devices));
  check(devices >= 1, "the address works");
  by_driver = &devices;
  SHOW(cuGetProcAddress("cuNoSuchFunction", &by_driver, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  std::printf("found %d, address %s\n", found, by_driver == nullptr ? "null" : "not null");
  SHOW(cuGetProcAddress("cuLaunchKernelEx", &by_driver, 10000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  std::printf("found %d, address %s\n", found, by_driver == nullptr ? "null" : "not null");
#if CUDART_VERSION >= 12050
  SHOW(cudaGetDriverEntryPointByVersion("cuDriverGetVersion", &by_runtime, 12000, cudaEnableDefault, &state));
  std::printf("found %d\n", state);
  int version = 0;
  SHOW(reinterpret_cast<CUresult (*)(int*)>(by_runtime)(&version));
  check(version >= 12000, "the address works");
  SHOW(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &by_runtime, 12000, cudaEnableDefault, &state));
  std::printf("found %d\n", state);
  SHOW(cudaGetDriverEntryPointByVersion("cuStreamSynchronize", &by_runtime, 12000, cudaEnablePerThreadDefaultStream,
                                        &state));
  std::printf("found %d\n", state);
  check(by_runtime != nullptr, "there is a variant for the thread's default stream");
  SHOW(cudaGetDriverEntryPointByVersion("cuLaunchKernelEx", &by_runtime, 10000, cudaEnableDefault, &state));
  std::printf("found %d\n", state);
#endif
}

}  // namespace

int main() {
  float *values = nullptr, host[count] = {1, 2, 3, 4, 5, 6, 7, 8};
  NEED(cudaMalloc(&values, sizeof host));
  NEED(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  runtime_library(values);
  driver_library(values);
  linked();
  addresses();
  NEED(cudaFree(values));
  return finish();
}
