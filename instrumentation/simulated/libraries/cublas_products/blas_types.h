#pragma once

// This folder is what the stand-ins for cuBLAS and cuBLASLt share: matrix products. Types of the public interface have
// the numbers that NVIDIA's documentation gives (cuBLAS library, data types).

#include <cstdint>

#include "instrumentation/simulated/device/error.h"

namespace warpwalk::simulated::libraries {

/// cublasStatus_t
enum class BlasStatus : int {
  success = 0,
  not_initialized = 1,
  alloc_failed = 3,
  invalid_value = 7,
  arch_mismatch = 8,
  mapping_error = 11,
  execution_failed = 13,
  internal_error = 14,
  not_supported = 15,
};

/// cublasOperation_t
enum class Operation : int { none = 0, transpose = 1, conjugate_transpose = 2 };

/// cublasComputeType_t
enum class ComputeType : int {
  f16 = 64,
  f16_pedantic = 65,
  f32 = 68,
  f32_pedantic = 69,
  f64 = 70,
  f64_pedantic = 71,
  s32 = 72,
  s32_pedantic = 73,
  f32_fast_f16 = 74,
  f32_fast_bf16 = 75,
  f32_fast_tf32 = 77,
  f32_emulated = 78,
  f64_emulated = 79,
};

/// The version of the library of CUDA 13.0: 10000 * major + 100 * minor + patch.
inline constexpr int blas_version = 130100;

/// The status of a function whose launch returned `error`.
inline BlasStatus blas_status(Error error) {
  return error == Error::success ? BlasStatus::success : BlasStatus::execution_failed;
}

}  // namespace warpwalk::simulated::libraries
