#include "instrumentation/inside/cuda_driver.h"

#include <dlfcn.h>

namespace warpwalk::instrumentation {
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
  find(library, "cuGraphClone", graph_clone);
  find(library, "cuGraphDestroy", graph_destroy);
  find(library, "cuGraphGetNodes", graph_nodes);
  find(library, "cuGraphInstantiateWithFlags", graph_instantiate);
  find(library, "cuGraphLaunch", graph_launch);
  find(library, "cuGraphExecDestroy", exec_destroy);
  find(library, "cuGraphNodeGetType", node_type);
  find(library, "cuGraphNodeFindInClone", node_in_clone);
  find(library, "cuGraphDestroyNode", node_destroy);
  find(library, "cuGraphNodeGetDependencies", node_dependencies);
  find(library, "cuGraphKernelNodeGetParams_v2", kernel_node);
  find(library, "cuFuncGetName", function_name);
  find(library, "cuKernelGetName", kernel_name);
  return find(library, "cuCtxSynchronize", synchronize) && find(library, "cuMemcpyDtoH_v2", copy_to_host) &&
         find(library, "cuMemcpyHtoD_v2", copy_to_device) &&
         find(library, "cuPointerGetAttribute", pointer_attribute) &&
         find(library, "cuStreamIsCapturing", is_capturing) && find(library, "cuFuncGetModule", function_module) &&
         find(library, "cuModuleGetGlobal_v2", module_variable);
}

bool has_cuda_driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY);
  if (library != nullptr) dlclose(library);
  return library != nullptr;
}

bool cuda_has_started() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  int (*device_count)(int*) = nullptr;
  int devices = 0;
  // Before cuInit, every other function fails.
  return library != nullptr && find(library, "cuDeviceGetCount", device_count) && device_count(&devices) == 0;
}

bool CudaDriver::has_graphs() const {
  return graph_clone != nullptr && graph_destroy != nullptr && graph_nodes != nullptr && graph_instantiate != nullptr &&
         graph_launch != nullptr && exec_destroy != nullptr && node_type != nullptr && node_in_clone != nullptr &&
         node_destroy != nullptr && node_dependencies != nullptr && kernel_node != nullptr &&
         function_name != nullptr && kernel_name != nullptr;
}

}  // namespace warpwalk::instrumentation
