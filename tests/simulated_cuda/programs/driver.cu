// The driver's own functions beside those of the runtime: contexts, modules from PTX, launches, memory, streams,
// events.
#include <cstring>
#include <vector>

#include "check_driver.h"

namespace {

__global__ void of_runtime(float* values) { values[threadIdx.x] += 100; }

constexpr int count = 300;
constexpr std::size_t bytes = count * sizeof(float);

void devices(CUdevice* device) {
  int number = 0, version = 0, value = 0, major = 0, minor = 0;
  char name[100] = {};
  std::size_t total = 0;
  SHOW(cuDeviceGetCount(&number));
  SHOW(cuInit(1));
  SHOW(cuInit(0));
  SHOW(cuDeviceGetCount(&number));
  check(number >= 1, "there is a device");
  SHOW(cuDeviceGet(device, 0));
  CUdevice none = 0;
  SHOW(cuDeviceGet(&none, number));
  SHOW(cuDriverGetVersion(&version));
  check(version >= CUDA_VERSION / 1000 * 1000, "the driver is not older than the headers");
  SHOW(cuDeviceGetName(name, sizeof name, *device));
  check(std::strlen(name) > 0, "it has a name");
  SHOW(cuDeviceTotalMem(&total, *device));
  check(total > (std::size_t{1} << 30), "it has memory");
  SHOW(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, *device));
  SHOW(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, *device));
  SHOW(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), *device));
  std::printf("compute capability %d.%d\n", major, minor);
}

void contexts(CUdevice device) {
  CUcontext current = nullptr, primary = nullptr, own = nullptr, popped = nullptr;
  unsigned flags = 99;
  int active = -1;
  CUdeviceptr memory = 0;
  SHOW(cuMemAlloc(&memory, 16));  // there is no context yet
  SHOW(cuCtxGetCurrent(&current));
  check(current == nullptr, "no context is current");
  SHOW(cuDevicePrimaryCtxGetState(device, &flags, &active));
  std::printf("primary context: flags %u, active %d\n", flags, active);
  SHOW(cuDevicePrimaryCtxRetain(&primary, device));
  SHOW(cuDevicePrimaryCtxGetState(device, &flags, &active));
  std::printf("primary context: flags %u, active %d\n", flags, active);
  SHOW(cuCtxSetCurrent(primary));
#if CUDA_VERSION >= 13000
  SHOW(cuCtxCreate(&own, nullptr, 0, device));
#else
  SHOW(cuCtxCreate(&own, 0, device));
#endif
  SHOW(cuCtxGetCurrent(&current));
  check(current == own && own != primary, "the new context is current");
  SHOW(cuMemAlloc(&memory, 1024));
  CUcontext owner = nullptr;
  SHOW(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  check(owner == own, "the memory is of the new context");
  SHOW(cuMemFree(memory));
  SHOW(cuCtxPopCurrent(&popped));
  check(popped == own, "it was popped");
  SHOW(cuCtxGetCurrent(&current));
  check(current == primary, "the primary context is current again");
  SHOW(cuCtxPushCurrent(own));
  SHOW(cuCtxDestroy(own));
  SHOW(cuCtxGetCurrent(&current));
  check(current == primary, "destroying it made the primary context current");
  unsigned api = 0;
  SHOW(cuCtxGetApiVersion(primary, &api));
  check(api > 0, "the API has a version");
  SHOW(cuCtxGetDevice(&device));
  std::printf("device %d\n", device);
  int least = 0, greatest = 0;
  SHOW(cuCtxGetStreamPriorityRange(&least, &greatest));
  std::printf("priorities %d to %d\n", least, greatest);
  std::size_t stack = 0;
  SHOW(cuCtxGetLimit(&stack, CU_LIMIT_STACK_SIZE));
  std::printf("stack %zu\n", stack);
}

void print_values(const char* what, CUdeviceptr memory) {
  float host[count] = {};
  NEED(cuMemcpyDtoH(host, memory, bytes));
  std::printf("%s: %.2f %.2f %.2f %.2f %.2f\n", what, host[0], host[1], host[2], host[3], host[299]);
}

void modules() {
  CUmodule module = nullptr, none = nullptr;
  CUfunction scale = nullptr, with_shared = nullptr, missing = nullptr;
  SHOW(cuModuleLoadData(&module, module_ptx));
  SHOW(cuModuleLoadData(&none, ".version 8.0\n.target sm_90\n.address_size 64\nthis is wrong\n"));
  SHOW(cuModuleGetFunction(&scale, module, "scale"));
  SHOW(cuModuleGetFunction(&with_shared, module, "with_shared"));
  SHOW(cuModuleGetFunction(&missing, module, "missing"));
  CUdeviceptr launches = 0, memory = 0, weights = 0;
  std::size_t size = 0;
  SHOW(cuModuleGetGlobal(&launches, &size, module, "launches"));
  std::printf("size %zu\n", size);
  SHOW(cuModuleGetGlobal(&weights, &size, module, "weights"));
  std::printf("size %zu\n", size);
  SHOW(cuModuleGetGlobal(&weights, &size, module, "missing"));
  for (const auto& [attribute, name] : {std::pair{CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "threads"},
                                        {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, "shared"},
                                        {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, "constant"},
                                        {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, "local"},
                                        {CU_FUNC_ATTRIBUTE_PTX_VERSION, "PTX"},
                                        {CU_FUNC_ATTRIBUTE_BINARY_VERSION, "binary"}}) {
    int of_scale = -1, of_shared = -1;
    NEED(cuFuncGetAttribute(&of_scale, attribute, scale));
    NEED(cuFuncGetAttribute(&of_shared, attribute, with_shared));
    std::printf("%s %d %d\n", name, of_scale, of_shared);
  }
  std::vector<float> host(count);
  for (int i = 0; i < count; ++i) host[i] = static_cast<float>(i);
  NEED(cuMemAlloc(&memory, bytes));
  NEED(cuMemcpyHtoD(memory, host.data(), bytes));
  int n = count;
  void* parameters[] = {&memory, &n};
  SHOW(cuLaunchKernel(scale, 2, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  print_values("with parameters", memory);
  struct {
    CUdeviceptr values;
    int count;
  } packed{memory, n};
  std::size_t packed_bytes = sizeof(CUdeviceptr) + sizeof(int);
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_bytes,
                   CU_LAUNCH_PARAM_END};
  SHOW(cuLaunchKernel(scale, 2, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
  print_values("with a buffer", memory);
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 512, 1, 1, 0, nullptr, parameters, nullptr));
  SHOW(cuLaunchKernel(scale, 0, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  SHOW(cuLaunchKernel(nullptr, 1, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  int number = 0;
  NEED(cuMemcpyDtoH(&number, launches, sizeof number));
  std::printf("launches %d\n", number);
  SHOW(cuLaunchKernel(with_shared, 1, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
  int reversed[128] = {};
  NEED(cuMemcpyDtoH(reversed, memory, sizeof reversed));
  std::printf("reversed %d %d\n", reversed[0], reversed[127]);
  int blocks = 0, grid = 0, block = 0;
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 128, 0));
  std::printf("blocks %d\n", blocks);
  SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, nullptr, 0, 0));
  std::printf("best block %d\n", block);
  NEED(cuMemFree(memory));
  SHOW(cuModuleUnload(module));
}

void memory_and_streams() {
  CUstream stream = nullptr;
  CUevent start = nullptr, end = nullptr;
  CUdeviceptr a = 0, b = 0, base = 0;
  std::size_t size = 0;
  SHOW(cuMemAlloc(&a, 4096));
  SHOW(cuMemAlloc(&b, 0));
  NEED(cuMemAlloc(&b, 4096));
  SHOW(cuMemGetAddressRange(&base, &size, a + 100));
  check(base == a && size == 4096, "the range of an address");
  SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  SHOW(cuEventCreate(&start, CU_EVENT_DEFAULT));
  SHOW(cuEventCreate(&end, CU_EVENT_DEFAULT));
  SHOW(cuEventRecord(start, stream));
  SHOW(cuMemsetD8Async(a, 1, 4096, stream));
  SHOW(cuMemsetD16Async(a, 0x0202, 256, stream));
  SHOW(cuMemsetD32Async(a, 0x03030303, 64, stream));
  SHOW(cuMemcpyDtoDAsync(b, a, 4096, stream));
  SHOW(cuEventRecord(end, stream));
  SHOW(cuEventSynchronize(end));
  SHOW(cuEventQuery(start));
  SHOW(cuStreamSynchronize(stream));
  SHOW(cuStreamQuery(stream));
  float time = -1;
  SHOW(cuEventElapsedTime(&time, start, end));
  check(time >= 0, "the time is not negative");
  std::vector<unsigned char> host(4096);
  SHOW(cuMemcpyDtoH(host.data(), b, 4096));
  unsigned sum = 0;
  for (const unsigned char byte : host) sum += byte;
  std::printf("sum %u\n", sum);
  SHOW(cuMemsetD32(a + 1, 0, 4));
  CUmemorytype type{};
  int ordinal = -1, managed = -1;
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
  SHOW(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, a));
  SHOW(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, a));
  std::printf("type %d, device %d, managed %d\n", type, ordinal, managed);
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(host.data())));
  void* locked = nullptr;
  SHOW(cuMemAllocHost(&locked, 64));
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(locked)));
  std::printf("type %d\n", type);
  SHOW(cuMemFreeHost(locked));
  SHOW(cuEventDestroy(start));
  SHOW(cuEventDestroy(end));
  SHOW(cuStreamDestroy(stream));
  SHOW(cuMemFree(a + 4));
  SHOW(cuMemFree(a));
  SHOW(cuMemFree(b));
}

// Runtime and driver share the primary context, and with it memory and streams.
void together(CUdevice device) {
  float *values = nullptr, host = 0;
  CUcontext before = nullptr, after = nullptr;
  NEED(cuCtxGetCurrent(&before));
  NEED(cudaMalloc(&values, 32 * sizeof(float)));
  NEED(cuCtxGetCurrent(&after));
  check(before == after, "the runtime uses the current primary context");
  SHOW(cuMemsetD32(reinterpret_cast<CUdeviceptr>(values), 0x3f800000, 32));
  of_runtime<<<1, 32>>>(values);
  CUfunction function = nullptr;
  SHOW(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(&of_runtime)));
  void* parameters[] = {&values};
  SHOW(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, CU_STREAM_LEGACY, parameters, nullptr));
  SHOW(cuCtxSynchronize());
  SHOW(cudaMemcpy(&host, values + 31, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("value %.1f\n", host);
  NEED(cudaFree(values));
  const char* text = nullptr;
  SHOW(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  std::printf("%s\n", text);
  SHOW(cuGetErrorName(static_cast<CUresult>(9999), &text));
  SHOW(cuDevicePrimaryCtxRelease(device));
}

}  // namespace

int main() {
  CUdevice device = 0;
  devices(&device);
  contexts(device);
  modules();
  memory_and_streams();
  together(device);
  return finish();
}
