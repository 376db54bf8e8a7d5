#pragma once

namespace warpwalk::simulated {

/// This folder becomes libcudart.so.12 and libcudart.so.13. What differs between them is in version_12.cpp and
/// version_13.cpp.
inline constexpr int runtime_major = WARPWALK_CUDART_MAJOR;
static_assert(runtime_major == 12 || runtime_major == 13);
/// As cudaRuntimeGetVersion reports it: 1000 * major + 10 * minor.
inline constexpr int runtime_version = runtime_major == 12 ? 12090 : 13000;

}  // namespace warpwalk::simulated
