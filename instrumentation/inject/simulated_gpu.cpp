#include "instrumentation/inject/simulated_gpu.h"

#include <cstdlib>

#include <dlfcn.h>

namespace warpwalk::instrumentation {
namespace {

template <class Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

bool SimulatedGpu::find() {
  // A program that has the simulated GPU in its environment may not have loaded CUDA's driver yet.
  const char* const gpu = std::getenv("WARPWALK_GPU");
  const bool load = gpu != nullptr && *gpu != '\0';
  void* const driver = dlopen("libcuda.so.1", load ? RTLD_LAZY : RTLD_LAZY | RTLD_NOLOAD);
  return driver != nullptr && find_function(driver, "warpwalk_simulated_gpu", start_) &&
         find_function(driver, "warpwalk_attach_recorder", attach_) &&
         find_function(driver, "warpwalk_detach_recorder", detach_);
}

}  // namespace warpwalk::instrumentation
