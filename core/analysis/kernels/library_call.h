#pragma once

#include <string>

#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// Where the time of a stand-in's kernel is from, if it is not simulated: "measured on an NVIDIA H200 with cuBLAS
/// 13.1.0, kernel NAME". Empty for other kernels.
std::string library_time_source(const trace::Trace& trace, trace::SliceId kernel);

}  // namespace warpwalk::analysis
