#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwalk::recording {

/// The functions of the CUDA driver that read a launch and its memory, from the libcuda.so that the program has loaded.
/// Those that some drivers lack may be null. All return a CUresult; 0 is success.
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

  /// False if a function that is needed was not found.
  bool load();
};

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

}  // namespace warpwalk::recording
