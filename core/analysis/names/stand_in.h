#pragma once

#include <string_view>

#include "core/analysis/names/work_category.h"

namespace warpwalk::analysis {

/// The library that a kernel of warpwalk's own stands in for on the simulated GPU: "cuBLAS" for those in the namespace
/// stand_in::cublas. Empty for all other kernels. The name may be mangled.
std::string_view stood_in_library(std::string_view kernel_name);

/// What such a kernel is for, by its function's name in lower case, where category_of_name() knows no other word in it.
WorkCategory category_of_stand_in(std::string_view lower_name);

/// Whether such a kernel computes on tensor cores, by the type that its product's name begins with: "gemm_f16_64x64",
/// "convolution_forward<TF32>" do, "gemm_f32_64x64" and "convolution_forward_direct<F16>" do not. False if it is no
/// product. The name is in lower case.
struct StandInUnit {
  bool product = false, tensor = false;
};
StandInUnit unit_of_stand_in(std::string_view lower_name);

}  // namespace warpwalk::analysis
