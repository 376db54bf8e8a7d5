#include "instrumentation/inject/cuda_driver.h"

#include <dlfcn.h>

namespace warpwalk::recording {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

bool CudaDriver::load() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return false;
  find(library, "cuFuncGetParamInfo", function_parameter);
  find(library, "cuKernelGetParamInfo", kernel_parameter);
  find(library, "cuKernelGetFunction", kernel_function);
  return find(library, "cuCtxSynchronize", synchronize) && find(library, "cuMemcpyDtoH_v2", copy_to_host) &&
         find(library, "cuPointerGetAttribute", pointer_attribute) &&
         find(library, "cuStreamIsCapturing", is_capturing) && find(library, "cuFuncGetModule", function_module) &&
         find(library, "cuModuleGetGlobal_v2", module_variable);
}

}  // namespace warpwalk::recording
