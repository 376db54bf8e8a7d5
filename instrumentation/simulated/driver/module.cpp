// Modules.
#include <algorithm>

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/load_code.h"

namespace warpwalk::simulated {
namespace {

CUresult load_module(const char* name, CUmodule* module, const void* image, const JitOptions& options) {
  return call_in_context(name, [&](Gpu& gpu) {
    return module == nullptr ? Error::invalid_value : load_code(gpu, image, options, *module);
  });
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return call_in_context("cuModuleLoad", [&](Gpu& gpu) {
    return module == nullptr ? Error::invalid_value : load_code_file(gpu, file, {}, *module);
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load_module("cuModuleLoadData", module, image, {});
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, int* options, void** values) {
  return load_module("cuModuleLoadDataEx", module, image, {count, options, values});
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load_module("cuModuleLoadFatBinary", module, image, {});
}

CUresult cuModuleUnload(CUmodule module) {
  return call_in_context("cuModuleUnload", [&](Gpu& gpu) { return unload_code(gpu, module); });
}

/// Code is made ready at a kernel's first launch: mode 2, lazy.
CUresult cuModuleGetLoadingMode(int* mode) {
  return call_after_init("cuModuleGetLoadingMode", [&](Gpu&) {
    if (mode == nullptr) return Error::invalid_value;
    *mode = 2;
    return Error::success;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return call_in_context("cuModuleGetFunction", [&](Gpu&) {
    return function == nullptr ? Error::invalid_value : find_kernel(module, name, *function);
  });
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return call_in_context("cuModuleGetFunctionCount", [&](Gpu&) {
    if (count == nullptr) return Error::invalid_value;
    if (module == nullptr) return Error::invalid_resource_handle;
    *count = static_cast<unsigned>(module->kernels().size());
    return Error::success;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
  return call_in_context("cuModuleEnumerateFunctions", [&](Gpu&) {
    if (functions == nullptr) return Error::invalid_value;
    if (module == nullptr) return Error::invalid_resource_handle;
    const auto& kernels = module->kernels();
    for (std::size_t i = 0; i < std::min<std::size_t>(count, kernels.size()); ++i) functions[i] = kernels[i].get();
    return Error::success;
  });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
  return call_in_context("cuModuleGetGlobal_v2", [&](Gpu&) { return find_variable(module, name, address, bytes); });
}

}  // extern "C"
}  // namespace warpwalk::simulated
