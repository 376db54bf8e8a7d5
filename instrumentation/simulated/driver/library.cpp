// Libraries and their kernels, which do not belong to a context.
#include <algorithm>

#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/function_attributes.h"
#include "instrumentation/simulated/driver/load_code.h"

namespace warpwalk::simulated {

extern "C" {

// The options of libraries say where host and device share tables of functions, and that the caller keeps the code.
// Neither matters here.

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, int* options, void** values, unsigned count, int*,
                           void**, unsigned) {
  return call_after_init("cuLibraryLoadData", [&](Gpu& gpu) {
    return library == nullptr ? Error::invalid_value : load_code(gpu, code, {count, options, values}, *library);
  });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, int* options, void** values, unsigned count, int*,
                               void**, unsigned) {
  return call_after_init("cuLibraryLoadFromFile", [&](Gpu& gpu) {
    return library == nullptr ? Error::invalid_value : load_code_file(gpu, file, {count, options, values}, *library);
  });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return call_after_init("cuLibraryUnload", [&](Gpu& gpu) { return unload_code(gpu, library); });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return call_after_init("cuLibraryGetKernel", [&](Gpu&) {
    return kernel == nullptr ? Error::invalid_value : find_kernel(library, name, *kernel);
  });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return call_after_init("cuLibraryGetKernelCount", [&](Gpu&) {
    if (count == nullptr) return Error::invalid_value;
    if (library == nullptr) return Error::invalid_resource_handle;
    *count = static_cast<unsigned>(library->kernels().size());
    return Error::success;
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
  return call_after_init("cuLibraryEnumerateKernels", [&](Gpu&) {
    if (kernels == nullptr) return Error::invalid_value;
    if (library == nullptr) return Error::invalid_resource_handle;
    const auto& all = library->kernels();
    for (std::size_t i = 0; i < std::min<std::size_t>(count, all.size()); ++i) kernels[i] = all[i].get();
    return Error::success;
  });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return call_in_context("cuLibraryGetModule", [&](Gpu&) {
    if (module == nullptr) return Error::invalid_value;
    if (library == nullptr) return Error::invalid_resource_handle;
    *module = library;
    return Error::success;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUlibrary library, const char* name) {
  return call_in_context("cuLibraryGetGlobal", [&](Gpu&) { return find_variable(library, name, address, bytes); });
}

CUresult cuLibraryGetManaged(CUdeviceptr* address, std::size_t* bytes, CUlibrary library, const char* name) {
  return call_after_init("cuLibraryGetManaged", [&](Gpu&) {
    if (library == nullptr) return Error::invalid_resource_handle;
    const ModuleVariable* const variable = name == nullptr ? nullptr : library->variable(name);
    if (variable != nullptr && variable->memory->kind != MemoryKind::managed) return Error::symbol_not_found;
    return find_variable(library, name, address, bytes);
  });
}

CUresult cuLibraryGetUnifiedFunction(void**, CUlibrary, const char*) { return refuse("cuLibraryGetUnifiedFunction"); }

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return call_in_context("cuKernelGetFunction", [&](Gpu&) {
    if (function == nullptr) return Error::invalid_value;
    if (kernel == nullptr) return Error::invalid_resource_handle;
    *function = kernel;
    return Error::success;
  });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return call_after_init("cuKernelGetLibrary", [&](Gpu&) {
    if (library == nullptr) return Error::invalid_value;
    if (kernel == nullptr) return Error::invalid_resource_handle;
    *library = &kernel->module;
    return Error::success;
  });
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return call_after_init("cuKernelGetName", [&](Gpu&) {
    if (name == nullptr || kernel == nullptr) return Error::invalid_value;
    *name = kernel->name.c_str();
    return Error::success;
  });
}

CUresult cuKernelGetParamInfo(CUkernel kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return call_after_init("cuKernelGetParamInfo", [&](Gpu&) { return get_parameter(kernel, index, offset, bytes); });
}

CUresult cuKernelGetAttribute(int* value, FunctionAttribute attribute, CUkernel kernel, CUdevice device) {
  return call_after_init("cuKernelGetAttribute", [&](Gpu&) {
    const Error wrong = check_device(device);
    return wrong == Error::success ? get_attribute(kernel, attribute, value) : wrong;
  });
}

CUresult cuKernelSetAttribute(FunctionAttribute attribute, int value, CUkernel kernel, CUdevice device) {
  return call_after_init("cuKernelSetAttribute", [&](Gpu& gpu) {
    const Error wrong = check_device(device);
    return wrong == Error::success ? set_attribute(gpu.device, kernel, attribute, value) : wrong;
  });
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device) {
  return call_after_init("cuKernelSetCacheConfig", [&](Gpu&) {
    if (kernel == nullptr) return Error::invalid_resource_handle;
    if (config < 0 || config > 3) return Error::invalid_value;
    return check_device(device);
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
