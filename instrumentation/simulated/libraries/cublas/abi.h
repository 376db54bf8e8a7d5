#pragma once

// Types of cuBLAS's public interface, with the numbers that its documentation gives (cuBLAS library, data types).

#include <cstddef>
#include <cstdint>

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

/// cublasPointerMode_t: where alpha, beta and scalar results are.
enum class PointerMode : int { host = 0, device = 1 };

/// What a cublasHandle_t points to.
struct BlasHandle {
  const void* stream = nullptr;
  PointerMode pointer_mode = PointerMode::host;
  int math_mode = 0;     ///< cublasMath_t
  int atomics_mode = 0;  ///< cublasAtomicsMode_t
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
};

}  // namespace warpwalk::simulated::libraries
