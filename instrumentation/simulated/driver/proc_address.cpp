// cuGetProcAddress: the address of a function by its name and CUDA version.
#include <array>
#include <string>
#include <string_view>

#include <dlfcn.h>

#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

enum class Found : int { yes = 0, no = 1, not_in_this_version = 2 };

/// A function whose parameters changed: the CUDA versions that brought each form, from NVIDIA's cudaTypedefs.h. A form
/// without a version (0) there is not. All other functions have one form that a 64-bit program can call.
struct VersionedFunction {
  std::string_view name;
  std::array<int, 4> since;  ///< without suffix, _v2, _v3, _v4
};
constexpr VersionedFunction versioned_functions[] = {
    {"cuCtxCreate", {2000, 3020, 11040, 12050}},
    {"cuCtxGetDevice", {2000, 13000, 0, 0}},
    {"cuCtxSynchronize", {2000, 13000, 0, 0}},
    {"cuEventElapsedTime", {2000, 12080, 0, 0}},
    {"cuGetProcAddress", {11030, 12000, 0, 0}},
    {"cuGraphAddDependencies", {10000, 12030, 0, 0}},
    {"cuGraphAddKernelNode", {10000, 12000, 0, 0}},
    {"cuGraphAddNode", {12020, 12030, 0, 0}},
    {"cuGraphExecKernelNodeSetParams", {10010, 12000, 0, 0}},
    {"cuGraphExecUpdate", {10020, 12000, 0, 0}},
    {"cuGraphGetEdges", {10000, 12030, 0, 0}},
    {"cuGraphInstantiate", {10000, 11000, 0, 0}},
    {"cuGraphKernelNodeGetParams", {10000, 12000, 0, 0}},
    {"cuGraphKernelNodeSetParams", {10000, 12000, 0, 0}},
    {"cuGraphNodeGetDependencies", {10000, 12030, 0, 0}},
    {"cuGraphNodeGetDependentNodes", {10000, 12030, 0, 0}},
    {"cuGraphRemoveDependencies", {10000, 12030, 0, 0}},
    {"cuLaunchKernelEx", {11060, 0, 0, 0}},
    {"cuMemAdvise", {8000, 12020, 0, 0}},
    {"cuMemPrefetchAsync", {8000, 12020, 0, 0}},
    {"cuMemcpy3DBatchAsync", {12080, 13000, 0, 0}},
    {"cuMemcpyBatchAsync", {12080, 13000, 0, 0}},
    {"cuStreamBeginCapture", {10000, 10010, 0, 0}},
    {"cuStreamGetCaptureInfo", {10010, 11030, 12030, 0}},
    {"cuStreamGetCtx", {9020, 12050, 0, 0}},
    {"cuStreamUpdateCaptureDependencies", {11030, 12030, 0, 0}},
};
constexpr std::array<std::string_view, 4> version_suffixes = {"", "_v2", "_v3", "_v4"};

const std::array<int, 4>* find_versions(std::string_view name) {
  for (const VersionedFunction& one : versioned_functions)
    if (one.name == name) return &one.since;
  return nullptr;
}

/// This library, which need not be among those that the program was linked with.
void* this_library() {
  static void* const library = [] {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&find_versions), &info) == 0) return RTLD_DEFAULT;
    void* const opened = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return opened == nullptr ? RTLD_DEFAULT : opened;
  }();
  return library;
}

void* find_form(const std::string& name, bool per_thread_streams) {
  if (per_thread_streams)
    for (const char* const suffix : {"_ptsz", "_ptds"})
      if (void* const address = dlsym(this_library(), (name + suffix).c_str()); address != nullptr) return address;
  return dlsym(this_library(), name.c_str());
}

Found find_function(std::string_view name, int version, bool per_thread_streams, void*& address) {
  address = nullptr;
  if (!name.starts_with("cu")) return Found::no;
  const std::array<int, 4>* const since = find_versions(name);
  Found found = Found::no;
  for (std::size_t i = version_suffixes.size(); i-- > 0;) {
    void* const form = find_form(std::string(name) + std::string(version_suffixes[i]), per_thread_streams);
    if (form == nullptr) continue;
    if (since != nullptr && (*since)[i] > version) {
      found = Found::not_in_this_version;
      continue;
    }
    address = form;
    return Found::yes;
  }
  return found;
}

Error get_address(const char* name, void** address, int version, std::uint64_t flags, Found& found) {
  constexpr std::uint64_t legacy = 1, per_thread_streams = 2;
  if (name == nullptr || address == nullptr || version > driver_version) return Error::invalid_value;
  if ((flags & ~(legacy | per_thread_streams)) != 0 || flags == (legacy | per_thread_streams))
    return Error::invalid_value;
  found = find_function(name, version, flags == per_thread_streams, *address);
  return Error::success;
}

}  // namespace

extern "C" {

CUresult cuGetProcAddress_v2(const char* name, void** address, int version, std::uint64_t flags, Found* status) {
  Found found = Found::no;
  const Error error = get_address(name, address, version, flags, found);
  if (error == Error::success && status != nullptr) *status = found;
  return error;
}

/// Of CUDA 11, which had no status.
CUresult cuGetProcAddress(const char* name, void** address, int version, std::uint64_t flags) {
  Found found = Found::no;
  const Error error = get_address(name, address, version, flags, found);
  if (error != Error::success) return error;
  return found == Found::yes ? Error::success : Error::symbol_not_found;
}

}  // extern "C"
}  // namespace warpwalk::simulated
