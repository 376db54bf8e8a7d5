// Functions: what a program can ask about a kernel and set for it.
#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/function_attributes.h"

namespace warpwalk::simulated {
namespace {

CUresult set_cache_config(const char* name, const Kernel* kernel, int config) {
  return call_in_context(name, [&](Gpu&) {
    if (kernel == nullptr) return Error::invalid_resource_handle;
    return config < 0 || config > 3 ? Error::invalid_value : Error::success;
  });
}

Error set_shared_bytes(const gpu::Device& device, KernelAttributes& attributes, int bytes) {
  const auto most = *device.shared_per_block_optin - static_cast<std::int64_t>(attributes.static_shared_bytes);
  if (bytes < 0 || bytes > most) return Error::invalid_value;
  attributes.max_dynamic_shared_bytes = bytes;
  return Error::success;
}

Error set_carveout(KernelAttributes& attributes, int percent) {
  if (percent < -1 || percent > 100) return Error::invalid_value;
  attributes.preferred_carveout = percent;
  return Error::success;
}

/// A size can be set if the code does not demand one.
Error set_cluster_size(KernelAttributes& attributes, std::size_t dimension, int blocks) {
  if (blocks < 0) return Error::invalid_value;
  attributes.required_cluster[dimension] = static_cast<std::uint32_t>(blocks);
  return Error::success;
}

}  // namespace

Error get_attribute(Kernel* kernel, FunctionAttribute attribute, int* value) {
  if (value == nullptr) return Error::invalid_value;
  if (kernel == nullptr) return Error::invalid_resource_handle;
  // PTX has registers and shared memory only when it is ready to run. A kernel that cannot run has the other
  // attributes.
  if (attribute == FunctionAttribute::registers || attribute == FunctionAttribute::static_shared_bytes)
    static_cast<void>(kernel->program());
  const KernelAttributes& known = kernel->attributes;
  switch (attribute) {
    case FunctionAttribute::max_threads_per_block: *value = known.max_threads_per_block; break;
    case FunctionAttribute::static_shared_bytes: *value = static_cast<int>(known.static_shared_bytes); break;
    case FunctionAttribute::constant_bytes: *value = static_cast<int>(known.constant_bytes); break;
    case FunctionAttribute::local_bytes: *value = static_cast<int>(known.local_bytes); break;
    case FunctionAttribute::registers: *value = known.registers; break;
    case FunctionAttribute::ptx_version: *value = known.ptx_version; break;
    case FunctionAttribute::binary_version: *value = known.binary_version; break;
    case FunctionAttribute::cache_mode_ca: *value = 0; break;
    case FunctionAttribute::max_dynamic_shared_bytes: *value = known.max_dynamic_shared_bytes; break;
    case FunctionAttribute::preferred_carveout: *value = known.preferred_carveout; break;
    case FunctionAttribute::cluster_must_be_set: *value = known.cluster_must_be_set ? 1 : 0; break;
    case FunctionAttribute::cluster_width: *value = static_cast<int>(known.required_cluster[0]); break;
    case FunctionAttribute::cluster_height: *value = static_cast<int>(known.required_cluster[1]); break;
    case FunctionAttribute::cluster_depth: *value = static_cast<int>(known.required_cluster[2]); break;
    case FunctionAttribute::nonportable_cluster: *value = known.nonportable_cluster ? 1 : 0; break;
    case FunctionAttribute::cluster_scheduling: *value = 0; break;
    default: return Error::invalid_value;
  }
  return Error::success;
}

Error set_attribute(const gpu::Device& device, Kernel* kernel, FunctionAttribute attribute, int value) {
  if (kernel == nullptr) return Error::invalid_resource_handle;
  KernelAttributes& known = kernel->attributes;
  switch (attribute) {
    case FunctionAttribute::max_dynamic_shared_bytes:
      static_cast<void>(kernel->program());  // its static shared memory
      return set_shared_bytes(device, known, value);
    case FunctionAttribute::preferred_carveout: return set_carveout(known, value);
    case FunctionAttribute::cluster_width: return set_cluster_size(known, 0, value);
    case FunctionAttribute::cluster_height: return set_cluster_size(known, 1, value);
    case FunctionAttribute::cluster_depth: return set_cluster_size(known, 2, value);
    case FunctionAttribute::nonportable_cluster: known.nonportable_cluster = value != 0; return Error::success;
    case FunctionAttribute::cluster_scheduling: return value < 0 || value > 2 ? Error::invalid_value : Error::success;
    default: return Error::invalid_value;
  }
}

Error get_parameter(const Kernel* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  if (kernel == nullptr || offset == nullptr) return Error::invalid_value;
  if (index >= kernel->parameters.size()) return Error::invalid_value;
  *offset = kernel->parameters[index].offset;
  if (bytes != nullptr) *bytes = kernel->parameters[index].bytes;
  return Error::success;
}

extern "C" {

CUresult cuFuncGetAttribute(int* value, FunctionAttribute attribute, CUfunction function) {
  return call_in_context("cuFuncGetAttribute", [&](Gpu&) { return get_attribute(function, attribute, value); });
}

CUresult cuFuncSetAttribute(CUfunction function, FunctionAttribute attribute, int value) {
  return call_in_context("cuFuncSetAttribute",
                         [&](Gpu& gpu) { return set_attribute(gpu.device, function, attribute, value); });
}

CUresult cuFuncSetCacheConfig(CUfunction function, int config) {
  return set_cache_config("cuFuncSetCacheConfig", function, config);
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, int config) {
  return set_cache_config("cuFuncSetSharedMemConfig", function, config);
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return call_in_context("cuFuncGetModule", [&](Gpu&) {
    if (module == nullptr) return Error::invalid_value;
    if (function == nullptr) return Error::invalid_resource_handle;
    *module = &function->module;
    return Error::success;
  });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return call_in_context("cuFuncGetName", [&](Gpu&) {
    if (name == nullptr || function == nullptr) return Error::invalid_value;
    *name = function->name.c_str();
    return Error::success;
  });
}

CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return call_in_context("cuFuncGetParamInfo", [&](Gpu&) { return get_parameter(function, index, offset, bytes); });
}

CUresult cuFuncIsLoaded(int* state, CUfunction function) {
  return call_in_context("cuFuncIsLoaded", [&](Gpu&) {
    if (state == nullptr || function == nullptr) return Error::invalid_value;
    *state = 1;
    return Error::success;
  });
}

CUresult cuFuncLoad(CUfunction function) {
  return call_in_context("cuFuncLoad",
                         [&](Gpu&) { return function == nullptr ? Error::invalid_value : Error::success; });
}

}  // extern "C"
}  // namespace warpwalk::simulated
