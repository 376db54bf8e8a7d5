#pragma once

#include "instrumentation/simulated/libraries/cusparse/call.h"

namespace warpwalk::simulated::libraries {

/// op(a) * x = alpha * op(b) with a triangle of a sparse matrix.
struct SparseSystem {
  Sparse a{};
  Dense b{}, x{};
  std::int64_t rows = 0, columns = 1;
  SparseOp op = SparseOp::none;
  int fill = 0, diagonal = 0;  ///< as in SparseMatDescr
  bool conjugate_b = false;
  int batches = 1;
  const void* alpha = nullptr;
  SparseData data = SparseData::r32;
  int* zero_pivot = nullptr;  ///< in device memory; may be null
};

/// Launches the solution. `function`: that the program called.
SparseStatus solve(const char* function, const SparseHandle* handle, const SparseSystem& system);

}  // namespace warpwalk::simulated::libraries
