// libwarpwalk_cuda.so: see library.h. The CUDA runtime is linked in statically; it looks for the driver by itself and
// reports where there is none, so that the library can be opened on any machine.
#include "library.h"

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "launcher.cuh"
#include "tables.cuh"  // made by CMake: warpwalk::tables(), a table for each module

namespace warpwalk {
namespace {

const char* text_of(cudaError_t error) { return error == cudaSuccess ? nullptr : cudaGetErrorString(error); }

const Launcher* find(const char* entry) {
  static const std::unordered_map<std::string, const Launcher*> by_entry = [] {
    std::unordered_map<std::string, const Launcher*> rows;
    for (const LauncherTable& table : tables())
      for (std::size_t i = 0; i < table.size; ++i) rows.emplace(table.rows[i].entry, &table.rows[i]);
    return rows;
  }();
  const auto at = by_entry.find(entry);
  return at == by_entry.end() ? nullptr : at->second;
}

const char* device(int ordinal, WarpwalkCudaDevice* out) {
  if (const cudaError_t error = cudaSetDevice(ordinal); error != cudaSuccess) return text_of(error);
  cudaDeviceProp properties;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, ordinal); error != cudaSuccess)
    return text_of(error);
  *out = {};
  std::snprintf(out->name, sizeof out->name, "%s", properties.name);
  out->total_memory = static_cast<std::int64_t>(properties.totalGlobalMem);
  out->compute_major = properties.major;
  out->compute_minor = properties.minor;
  out->sms = properties.multiProcessorCount;
  out->warp_size = properties.warpSize;
  out->max_threads_per_block = properties.maxThreadsPerBlock;
  out->max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
  out->registers_per_block = properties.regsPerBlock;
  out->registers_per_sm = properties.regsPerMultiprocessor;
  out->shared_per_block = static_cast<std::int64_t>(properties.sharedMemPerBlock);
  out->shared_per_block_optin = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
  out->shared_per_sm = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
  return nullptr;
}

const char* allocate(std::uint64_t bytes, std::uint64_t* address) {
  void* pointer = nullptr;
  const cudaError_t error = cudaMalloc(&pointer, bytes);
  *address = reinterpret_cast<std::uint64_t>(pointer);
  if (error == cudaErrorMemoryAllocation) cudaGetLastError();  // out of memory is an answer, not a state to stay in
  return text_of(error);
}

const char* release(std::uint64_t address) { return text_of(cudaFree(reinterpret_cast<void*>(address))); }

const char* copy_in(std::uint64_t to, const void* from, std::uint64_t bytes, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  const cudaError_t error =
      cudaMemcpyAsync(reinterpret_cast<void*>(to), from, bytes, cudaMemcpyHostToDevice, on);
  return text_of(error != cudaSuccess ? error : cudaStreamSynchronize(on));
}

const char* copy_out(void* to, std::uint64_t from, std::uint64_t bytes, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  const cudaError_t error =
      cudaMemcpyAsync(to, reinterpret_cast<const void*>(from), bytes, cudaMemcpyDeviceToHost, on);
  return text_of(error != cudaSuccess ? error : cudaStreamSynchronize(on));
}

const char* make_stream(void** stream) {
  return text_of(cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t*>(stream), cudaStreamNonBlocking));
}

const char* drop_stream(void* stream) { return text_of(cudaStreamDestroy(static_cast<cudaStream_t>(stream))); }

const char* launch(const char* entry, const std::uint32_t grid[3], const std::uint32_t block[3],
                   std::uint32_t dynamic_shared_bytes, void* stream, void** arguments, int* found) {
  const Launcher* const launcher = find(entry);
  *found = launcher != nullptr;
  if (launcher == nullptr) return nullptr;
  constexpr std::uint32_t without_asking = 48 * 1024;
  if (dynamic_shared_bytes > without_asking) {
    const cudaError_t error = cudaFuncSetAttribute(launcher->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   static_cast<int>(dynamic_shared_bytes));
    if (error != cudaSuccess) return text_of(error);
  }
  launcher->launch({dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]), dynamic_shared_bytes,
                    static_cast<cudaStream_t>(stream)},
                   arguments);
  return text_of(cudaGetLastError());
}

const char* synchronize() { return text_of(cudaDeviceSynchronize()); }

const char* registers(const char* entry, int* out) {
  const Launcher* const launcher = find(entry);
  cudaFuncAttributes attributes{};
  *out = 0;
  if (launcher == nullptr) return "there is no such kernel";
  const cudaError_t error = cudaFuncGetAttributes(&attributes, launcher->kernel);
  *out = attributes.numRegs;
  return text_of(error);
}

}  // namespace
}  // namespace warpwalk

extern "C" __attribute__((visibility("default"))) const WarpwalkCudaLibrary* warpwalk_cuda_library(void) {
  static const std::vector<WarpwalkCudaKernel> kernels = [] {
    std::vector<WarpwalkCudaKernel> rows;
    for (const warpwalk::LauncherTable& table : warpwalk::tables())
      for (std::size_t i = 0; i < table.size; ++i) rows.push_back({table.rows[i].entry, table.rows[i].module});
    return rows;
  }();
  static const WarpwalkCudaLibrary library = {warpwalk_cuda_interface, CUDART_VERSION, warpwalk::device,
                                              warpwalk::allocate,      warpwalk::release,    warpwalk::copy_in,
                                              warpwalk::copy_out,      warpwalk::make_stream, warpwalk::drop_stream,
                                              warpwalk::launch,        warpwalk::synchronize, warpwalk::registers,
                                              kernels.data(),          kernels.size()};
  return &library;
}
