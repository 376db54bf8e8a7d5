#pragma once

#include <complex>
#include <functional>
#include <limits>

#include "instrumentation/simulated/libraries/cusolver/abi.h"
#include "instrumentation/simulated/libraries/lapack/matrices.h"

namespace warpwalk::simulated::libraries {

/// Calls `body` with a number of the type that a cudaDataType names.
template <class Body>
SolverStatus with_type(DataType type, const Body& body) {
  switch (type) {
    case DataType::real_32: return body(float{});
    case DataType::real_64: return body(double{});
    case DataType::complex_32: return body(std::complex<float>{});
    case DataType::complex_64: return body(std::complex<double>{});
  }
  return SolverStatus::invalid_value;
}

/// The real type that belongs to a type.
inline DataType real_type(DataType type) {
  if (type == DataType::complex_32) return DataType::real_32;
  if (type == DataType::complex_64) return DataType::real_64;
  return type;
}

/// Whether a size of the 64-bit functions is one that kernels can have.
inline bool fits_int(std::int64_t size) { return size >= 0 && size <= std::numeric_limits<int>::max(); }

}  // namespace warpwalk::simulated::libraries
