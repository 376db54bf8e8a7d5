#pragma once

// Types of cuFFT's public interface, with the numbers that its documentation gives (cuFFT library, API reference).

#include <array>

namespace warpwalk::simulated::libraries {

/// cufftResult
enum class FftResult : int {
  success = 0,
  invalid_plan = 1,
  alloc_failed = 2,
  invalid_type = 3,
  invalid_value = 4,
  internal_error = 5,
  exec_failed = 6,
  setup_failed = 7,
  invalid_size = 8,
  no_workspace = 13,
  not_implemented = 14,
  not_supported = 16,
};

/// cufftType
enum class FftType : int { c2c = 0x29, r2c = 0x2a, c2r = 0x2c, z2z = 0x69, d2z = 0x6a, z2d = 0x6c };

/// cudaDataType_t
enum class FftData : int { r32 = 0, r64 = 1, r16 = 2, c32 = 4, c64 = 5, c16 = 6, r16b = 14, c16b = 15 };

/// The directions of a transform.
enum : int { fft_forward = -1, fft_inverse = 1 };

/// The input or output of a plan.
struct FftSide {
  bool basic = true;  ///< without the next three: contiguous
  std::array<long long, 3> embed{};
  long long stride = 1, dist = 0;
  FftData data = FftData::c32;
};

/// What a plan is to compute.
struct FftRequest {
  int rank = 1;
  std::array<long long, 3> n{1, 1, 1};  ///< the first `rank`
  long long batch = 1;
  FftSide in, out;
};

}  // namespace warpwalk::simulated::libraries
