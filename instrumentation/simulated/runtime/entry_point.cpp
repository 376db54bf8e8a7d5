// Functions of the driver by name.
#include <dlfcn.h>

#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/version.h"

namespace warpwalk::simulated {
namespace {

/// cudaDriverEntryPointQueryResult
enum EntryPointResult : int { found_entry = 0, no_such_entry = 1 };

constexpr unsigned long long per_thread_entries = 2;  ///< cudaEnablePerThreadDefaultStream

/// A symbol of libcuda.so.1, which this library is linked with.
void* driver_symbol(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return driver == nullptr ? nullptr : dlsym(driver, name);
}

Error entry_point(const char* name, const char* symbol, void** function, int version, unsigned long long flags,
                  int* status) {
  return runtime_call(name, [&](Gpu&) {
    if (symbol == nullptr || function == nullptr || flags > per_thread_entries) return Error::invalid_value;
    *function = nullptr;
    int result = no_such_entry;
    // cuGetProcAddress_v2 finds the version of a function that a version of CUDA has.
    using Search = int (*)(const char*, void**, int, unsigned long long, int*);
    if (const auto search = reinterpret_cast<Search>(driver_symbol("cuGetProcAddress_v2")); search != nullptr)
      search(symbol, function, version, flags, &result);
    else if ((*function = driver_symbol(symbol)) != nullptr)
      result = found_entry;
    if (status != nullptr) *status = result;
    return *function != nullptr || status != nullptr ? Error::success : Error::symbol_not_found;
  });
}

}  // namespace

extern "C" {

Error cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags, int* status) {
  return entry_point("cudaGetDriverEntryPoint", symbol, function, runtime_version, flags, status);
}

Error cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function, unsigned long long flags, int* status) {
  return cudaGetDriverEntryPoint(symbol, function, flags == 0 ? per_thread_entries : flags, status);
}

Error cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version, unsigned long long flags,
                                       int* status) {
  return entry_point("cudaGetDriverEntryPointByVersion", symbol, function, static_cast<int>(version), flags, status);
}

Error cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function, unsigned version,
                                            unsigned long long flags, int* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, version, flags == 0 ? per_thread_entries : flags, status);
}

}  // extern "C"

}  // namespace warpwalk::simulated
