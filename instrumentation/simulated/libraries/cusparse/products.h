#pragma once

#include "instrumentation/simulated/libraries/cusparse/call.h"

namespace warpwalk::simulated::libraries {

/// c = alpha * op(a) * op(b) + beta * c with a sparse matrix a; of one column for vectors.
struct SparseProduct {
  Sparse a{};
  Dense b{}, c{};
  bool transposed = false;             ///< op(a) is the transpose of the rows that `a` has
  std::int64_t sparse_rows = 0;        ///< of `a`
  std::int64_t rows = 0, columns = 1;  ///< of c
  int batches = 1, conjugate = 0;      ///< Conjugate
  const void *alpha = nullptr, *beta = nullptr;
  SparseData in = SparseData::r32, in_dense = SparseData::r32, out = SparseData::r32;
  SparseData computed = SparseData::r32;  ///< what alpha and beta point to
};

/// Launches the product. `function`: that the program called.
SparseStatus multiply(const char* function, const SparseHandle* handle, const SparseProduct& product);

}  // namespace warpwalk::simulated::libraries
