#pragma once

#include <cstdint>

#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {

/// Numbers of workspace that eigenvalues of symmetric or Hermitian matrices of order n need.
inline std::int64_t hermitian_workspace(std::int64_t n, std::int64_t batch) { return (2 * n * n + 8 * n) * batch; }

/// The eigenvalues of matrices of order n in ascending order, and, with `vectors`, the eigenvectors in place of the
/// matrices. `infos`: 0, or how many eigenvalues did not converge.
template <class Number>
Error decompose_hermitian(const void* stream, bool vectors, FillMode fill, int n, const Matrices<Number>& a,
                          Real<Number>* values, Number* workspace, int* infos, int batch);

}  // namespace warpwalk::simulated::libraries
