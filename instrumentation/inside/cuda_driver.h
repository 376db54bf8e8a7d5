#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwalk::instrumentation {

/// The functions of the CUDA driver that read a launch and its memory, from the libcuda.so that the program has loaded.
/// Functions that some drivers lack may be null. All return a CUresult; 0 is success.
struct CudaDriver {
  using Address = std::uint64_t;  // CUdeviceptr

  int (*synchronize)() = nullptr;                                                   ///< cuCtxSynchronize
  int (*copy_to_host)(void* to, Address from, std::size_t bytes) = nullptr;         ///< cuMemcpyDtoH
  int (*pointer_attribute)(void* value, int attribute, Address pointer) = nullptr;  ///< cuPointerGetAttribute
  int (*is_capturing)(void* stream, int* status) = nullptr;                         ///< cuStreamIsCapturing
  int (*function_parameter)(void* function, std::size_t index, std::size_t* offset,
                            std::size_t* bytes) = nullptr;  ///< cuFuncGetParamInfo; may be null
  int (*kernel_parameter)(void* kernel, std::size_t index, std::size_t* offset,
                          std::size_t* bytes) = nullptr;            ///< cuKernelGetParamInfo; may be null
  int (*kernel_function)(void** function, void* kernel) = nullptr;  ///< cuKernelGetFunction; may be null
  int (*function_module)(void** module, void* function) = nullptr;  ///< cuFuncGetModule
  int (*module_variable)(Address* at, std::size_t* bytes, void* module,
                         const char* name) = nullptr;  ///< cuModuleGetGlobal

  int (*copy_to_device)(Address to, const void* from, std::size_t bytes) = nullptr;  ///< cuMemcpyHtoD
  // For graphs; may be null.
  int (*graph_clone)(void** clone, void* graph) = nullptr;                      ///< cuGraphClone
  int (*graph_destroy)(void* graph) = nullptr;                                  ///< cuGraphDestroy
  int (*graph_nodes)(void* graph, void** nodes, std::size_t* count) = nullptr;  ///< cuGraphGetNodes
  int (*graph_instantiate)(void** exec, void* graph,
                           unsigned long long flags) = nullptr;           ///< cuGraphInstantiateWithFlags
  int (*graph_launch)(void* exec, void* stream) = nullptr;                ///< cuGraphLaunch
  int (*exec_destroy)(void* exec) = nullptr;                              ///< cuGraphExecDestroy
  int (*node_type)(void* node, int* type) = nullptr;                      ///< cuGraphNodeGetType
  int (*node_in_clone)(void** found, void* node, void* clone) = nullptr;  ///< cuGraphNodeFindInClone
  int (*node_destroy)(void* node) = nullptr;                              ///< cuGraphDestroyNode
  int (*node_dependencies)(void* node, void** dependencies,
                           std::size_t* count) = nullptr;             ///< cuGraphNodeGetDependencies
  int (*kernel_node)(void* node, void* parameters) = nullptr;         ///< cuGraphKernelNodeGetParams_v2
  int (*function_name)(const char** name, void* function) = nullptr;  ///< cuFuncGetName
  int (*kernel_name)(const char** name, void* kernel) = nullptr;      ///< cuKernelGetName
  bool has_graphs() const;

  /// False if a function that is needed was not found.
  bool load();
};

/// True if the driver is installed.
bool has_cuda_driver();
/// True once the program has initialised the CUDA driver.
bool cuda_has_started();

/// CU_POINTER_ATTRIBUTE_...
enum PointerAttribute : int { memory_type = 2, range_start = 11, range_bytes = 12 };
/// CU_MEMORYTYPE_HOST.
constexpr std::uint32_t host_memory = 1;

/// The leading fields of cuLaunchKernel_params and cuLaunchCooperativeKernel_params (which has no `extra`).
struct LaunchKernelParameters {
  void* function;
  std::uint32_t grid[3], block[3], shared_bytes;
  void* stream;
  void** parameters;
  void** extra;
};

/// CUDA_KERNEL_NODE_PARAMS_v2.
struct KernelNodeParameters {
  void* function;
  std::uint32_t grid[3], block[3], shared_bytes;
  void** parameters;
  void** extra;
  void* kernel;  ///< if function is null
  void* context;
};

/// CUgraphNodeType.
enum GraphNodeType : int { kernel_node_type = 0, memcpy_node_type = 1, memset_node_type = 2, empty_node_type = 5 };

/// CUlaunchAttribute.
struct LaunchAttribute {
  std::uint32_t id, padding;
  union {
    std::uint32_t cluster[3];
    std::int32_t cooperative;
    std::uint8_t room[64];
  } value;
};
constexpr std::uint32_t attribute_cooperative = 2, attribute_cluster = 4;  // CU_LAUNCH_ATTRIBUTE_...

/// CUlaunchConfig.
struct LaunchConfig {
  std::uint32_t grid[3], block[3], shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  std::uint32_t count;
};

/// cuLaunchKernelEx_params.
struct LaunchKernelExParameters {
  const LaunchConfig* config;
  void* function;
  void** parameters;
  void** extra;
};

}  // namespace warpwalk::instrumentation
