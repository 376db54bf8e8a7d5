// Plans and their settings.
#include <string_view>

#include <dlfcn.h>

#include "instrumentation/simulated/libraries/cufft/plan.h"

namespace warpwalk::simulated::libraries {
namespace {

/// Whether this is the library of CUDA 12, libcufft.so.11, and not that of CUDA 13: both are made of this code.
bool is_cufft_of_cuda_12() {
  Dl_info here{};
  static const char mark = 0;
  return dladdr(&mark, &here) != 0 && here.dli_fname != nullptr && std::string_view(here.dli_fname).ends_with(".so.11");
}

/// Major, minor and patch version: those of CUDA 12.9 and 13.0.
std::array<int, 3> cufft_version() { return is_cufft_of_cuda_12() ? std::array{11, 4, 1} : std::array{12, 0, 0}; }

}  // namespace

extern "C" {

FftResult cufftCreate(int* handle) {
  if (handle == nullptr) return FftResult::invalid_value;
  *handle = FftPlans::all().create();
  return FftResult::success;
}

FftResult cufftDestroy(int handle) {
  return FftPlans::all().destroy(handle) ? FftResult::success : FftResult::invalid_plan;
}

FftResult cufftSetStream(int handle, const void* stream) {
  return with_fft_plan("cufftSetStream", handle, [&](FftPlan& plan) {
    plan.stream = stream;
    return FftResult::success;
  });
}

FftResult cufftSetAutoAllocation(int handle, int allocates) {
  return with_fft_plan("cufftSetAutoAllocation", handle, [&](FftPlan& plan) {
    // It must come before the plan is made.
    if (plan.is_made()) return FftResult::invalid_plan;
    plan.allocates = allocates != 0;
    return FftResult::success;
  });
}

FftResult cufftSetWorkArea(int handle, void* area) {
  return with_fft_plan("cufftSetWorkArea", handle, [&](FftPlan& plan) {
    plan.set_work_area(area);
    return FftResult::success;
  });
}

FftResult cufftGetSize(int handle, std::size_t* bytes) {
  return with_fft_plan("cufftGetSize", handle, [&](FftPlan& plan) {
    if (bytes == nullptr) return FftResult::invalid_value;
    if (!plan.is_made()) return FftResult::invalid_plan;
    *bytes = plan.work_bytes();
    return FftResult::success;
  });
}

FftResult cufftGetVersion(int* version) {
  if (version == nullptr) return FftResult::invalid_value;
  const auto [major, minor, patch] = cufft_version();
  *version = major * 1000 + minor * 100 + patch;
  return FftResult::success;
}

FftResult cufftGetProperty(int property, int* value) {
  if (value == nullptr || property < 0 || property > 2) return FftResult::invalid_value;
  *value = cufft_version()[static_cast<std::size_t>(property)];
  return FftResult::success;
}

// The properties set how NVIDIA's library compiles its kernels; here they are kept and have no effect.
FftResult cufftSetPlanPropertyInt64(int handle, int property, long long value) {
  return with_fft_plan("cufftSetPlanPropertyInt64", handle, [&](FftPlan& plan) {
    plan.properties[property] = value;
    return FftResult::success;
  });
}

FftResult cufftGetPlanPropertyInt64(int handle, int property, long long* value) {
  return with_fft_plan("cufftGetPlanPropertyInt64", handle, [&](FftPlan& plan) {
    if (value == nullptr) return FftResult::invalid_value;
    const auto found = plan.properties.find(property);
    *value = found == plan.properties.end() ? 0 : found->second;
    return FftResult::success;
  });
}

FftResult cufftResetPlanProperty(int handle, int property) {
  return with_fft_plan("cufftResetPlanProperty", handle, [&](FftPlan& plan) {
    plan.properties.erase(property);
    return FftResult::success;
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
