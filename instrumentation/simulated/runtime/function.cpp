// Kernels: their attributes, names and parameters.
#include "instrumentation/simulated/runtime/function.h"

#include <algorithm>
#include <string>

#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/registry.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

FunctionAttributes attributes_of(const KernelAttributes& known) {
  FunctionAttributes attributes{};
  attributes.shared_bytes = known.static_shared_bytes;
  attributes.constant_bytes = known.constant_bytes;
  attributes.local_bytes = known.local_bytes;
  attributes.max_threads_per_block = known.max_threads_per_block;
  attributes.registers = known.registers;
  attributes.ptx_version = known.ptx_version;
  attributes.binary_version = known.binary_version;
  attributes.max_dynamic_shared_bytes = known.max_dynamic_shared_bytes;
  // Unless it was set, what static shared memory leaves.
  if (known.max_dynamic_shared_bytes == KernelAttributes().max_dynamic_shared_bytes)
    attributes.max_dynamic_shared_bytes -= static_cast<int>(known.static_shared_bytes);
  attributes.carveout = known.preferred_carveout;
  attributes.cluster_must_be_set = known.cluster_must_be_set ? 1 : 0;
  attributes.cluster_width = static_cast<int>(known.required_cluster[0]);
  attributes.cluster_height = static_cast<int>(known.required_cluster[1]);
  attributes.cluster_depth = static_cast<int>(known.required_cluster[2]);
  attributes.nonportable_cluster = known.nonportable_cluster ? 1 : 0;
  return attributes;
}

/// The numbers of cudaFuncAttribute.
enum FunctionAttribute : int {
  max_dynamic_shared = 8,
  preferred_carveout = 9,
  cluster_width = 11,
  cluster_depth = 13,
  nonportable_cluster = 14,
  cluster_policy = 15,
};

constexpr int prefer_equal_cache = 3, eight_byte_banks = 2;

}  // namespace

Error prepare(Gpu& gpu, Kernel& kernel) {
  const auto program = kernel.program();
  if (program) return Error::success;
  gpu.tell(kernel.name + ": " + program.error());
  return Error::not_supported;
}

Error set_attribute(const Gpu& gpu, Kernel& kernel, int attribute, int value) {
  KernelAttributes& attributes = kernel.attributes;
  constexpr int largest_percent = 100, last_policy = 2;
  if (attribute >= cluster_width && attribute <= cluster_depth) {
    if (value < 0) return Error::invalid_value;
    attributes.required_cluster[static_cast<std::size_t>(attribute - cluster_width)] = static_cast<unsigned>(value);
    return Error::success;
  }
  switch (attribute) {
    case max_dynamic_shared: {
      const std::int64_t largest = *gpu.device.shared_per_block_optin;
      if (value < 0 || value + static_cast<std::int64_t>(attributes.static_shared_bytes) > largest)
        return Error::invalid_value;
      attributes.max_dynamic_shared_bytes = value;
      return Error::success;
    }
    case preferred_carveout:
      if (value < -1 || value > largest_percent) return Error::invalid_value;
      attributes.preferred_carveout = value;
      return Error::success;
    case nonportable_cluster:
      if (value < 0 || value > 1) return Error::invalid_value;
      attributes.nonportable_cluster = value != 0;
      return Error::success;
    case cluster_policy: return value < 0 || value > last_policy ? Error::invalid_value : Error::success;
    default: return Error::invalid_value;
  }
}

extern "C" {

Error cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
  return runtime_call("cudaFuncGetAttributes", [&](Gpu& gpu) {
    if (attributes == nullptr) return Error::invalid_value;
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      if (const Error wrong = prepare(gpu, kernel); wrong != Error::success) return wrong;
      *attributes = attributes_of(kernel.attributes);
      return Error::success;
    });
  });
}

Error cudaFuncSetAttribute(const void* function, int attribute, int value) {
  return runtime_call("cudaFuncSetAttribute", [&](Gpu& gpu) {
    return with_kernel(gpu, function, [&](Kernel& kernel) { return set_attribute(gpu, kernel, attribute, value); });
  });
}

Error cudaKernelSetAttributeForDevice(const void* kernel, int attribute, int value, int device) {
  return runtime_call("cudaKernelSetAttributeForDevice", [&](Gpu& gpu) {
    if (device != 0) return Error::invalid_device;
    return with_kernel(gpu, kernel, [&](Kernel& found) { return set_attribute(gpu, found, attribute, value); });
  });
}

/// GPUs since compute capability 7.0 ignore this preference unless it saves a carve-out.
Error cudaFuncSetCacheConfig(const void* function, int cache) {
  return runtime_call("cudaFuncSetCacheConfig", [&](Gpu& gpu) {
    if (cache < 0 || cache > prefer_equal_cache) return Error::invalid_value;
    return with_kernel(gpu, function, [](Kernel&) { return Error::success; });
  });
}

Error cudaFuncSetSharedMemConfig(const void* function, int banks) {
  return runtime_call("cudaFuncSetSharedMemConfig", [&](Gpu& gpu) {
    if (banks < 0 || banks > eight_byte_banks) return Error::invalid_value;
    return with_kernel(gpu, function, [](Kernel&) { return Error::success; });
  });
}

Error cudaFuncGetName(const char** name, const void* function) {
  return runtime_call("cudaFuncGetName", [&](Gpu& gpu) {
    if (name == nullptr) return Error::invalid_value;
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      *name = kernel.name.c_str();
      return Error::success;
    });
  });
}

Error cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return runtime_call("cudaFuncGetParamInfo", [&](Gpu& gpu) {
    if (offset == nullptr) return Error::invalid_value;
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      if (index >= kernel.parameters.size()) return Error::invalid_value;
      *offset = kernel.parameters[index].offset;
      if (bytes != nullptr) *bytes = kernel.parameters[index].bytes;
      return Error::success;
    });
  });
}

Error cudaGetFuncBySymbol(const void** handle, const void* function) {
  return runtime_call("cudaGetFuncBySymbol", [&](Gpu& gpu) {
    if (handle == nullptr) return Error::invalid_value;
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      *handle = &kernel;
      return Error::success;
    });
  });
}

Error cudaGetKernel(const void** handle, const void* function) {
  return runtime_call("cudaGetKernel", [&](Gpu& gpu) {
    if (handle == nullptr) return Error::invalid_value;
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      *handle = &kernel;
      return Error::success;
    });
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated
