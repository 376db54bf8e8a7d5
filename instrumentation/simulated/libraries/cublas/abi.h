#pragma once

// Types of cuBLAS's public interface, with the numbers that its documentation gives (cuBLAS library, data types).

#include <cstddef>
#include <cstdint>
#include <memory>

#include "instrumentation/simulated/device/memory.h"
#include "instrumentation/simulated/libraries/cublas_products/blas_types.h"

namespace warpwalk::simulated::libraries {

/// cublasPointerMode_t: where alpha, beta and scalar results are.
enum class PointerMode : int { host = 0, device = 1 };

/// cublasFillMode_t
enum class FillMode : int { lower = 0, upper = 1, full = 2 };

/// cublasSideMode_t
enum class SideMode : int { left = 0, right = 1 };

/// cublasDiagType_t
enum class DiagonalType : int { non_unit = 0, unit = 1 };

/// The modes of cublasMath_t that change results here, in its lower four bits.
enum MathMode : int { math_default = 0, math_tensor_op = 1, math_pedantic = 2, math_tf32 = 3 };

/// What a cublasHandle_t points to.
struct BlasHandle {
  const void* stream = nullptr;
  PointerMode pointer_mode = PointerMode::host;
  int math_mode = math_default;  ///< cublasMath_t
  int atomics_mode = 0;          ///< cublasAtomicsMode_t
  int sm_count_target = 0;
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  std::shared_ptr<Allocation> scratch;  ///< device memory for scalars that the program has on the host

  bool scalars_on_device() const { return pointer_mode == PointerMode::device; }
};

}  // namespace warpwalk::simulated::libraries
