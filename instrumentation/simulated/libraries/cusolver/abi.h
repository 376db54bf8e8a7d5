#pragma once

// Types of cuSOLVER's public interface, with the numbers that its documentation gives (cuSOLVER library, types).

#include <cstdint>
#include <functional>

#include "instrumentation/simulated/device/error.h"

namespace warpwalk::simulated::libraries {

/// cusolverStatus_t
enum class SolverStatus : int {
  success = 0,
  not_initialized = 1,
  alloc_failed = 2,
  invalid_value = 3,
  execution_failed = 6,
  internal_error = 7,
  not_supported = 9,
};

/// cusolverEigMode_t
enum class EigenMode : int { values = 0, vectors = 1 };

/// cudaDataType, as far as cuSOLVER computes with it.
enum class DataType : int { real_32 = 0, real_64 = 1, complex_32 = 4, complex_64 = 5 };

/// What a cusolverDnHandle_t points to.
struct SolverHandle {
  const void* stream = nullptr;
};

/// What a cusolverDnParams_t points to. Its settings choose between algorithms, of which this library has one each.
struct SolverParams {
  int algorithm = 0;
};

/// What gesvdjInfo_t and syevjInfo_t point to.
struct JacobiSettings {
  double tolerance = 0;  ///< 0: the machine's accuracy
  int max_sweeps = 100;
  int sorted = 1;
};

/// Runs the body of a function that launches, if its arguments are valid.
inline SolverStatus solver_call(const SolverHandle* handle, bool valid, const std::function<Error()>& body) {
  if (handle == nullptr) return SolverStatus::not_initialized;
  if (!valid) return SolverStatus::invalid_value;
  return body() == Error::success ? SolverStatus::success : SolverStatus::execution_failed;
}

/// Writes the size of a workspace.
template <class Size>
SolverStatus report_size(const SolverHandle* handle, bool valid, std::int64_t size, Size* into) {
  if (handle == nullptr) return SolverStatus::not_initialized;
  if (!valid || into == nullptr) return SolverStatus::invalid_value;
  *into = static_cast<Size>(size);
  return SolverStatus::success;
}

}  // namespace warpwalk::simulated::libraries
