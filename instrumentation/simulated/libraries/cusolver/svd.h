#pragma once

#include <cstdint>

#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/libraries/cusolver/abi.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {

/// Numbers of workspace that singular values of m x n matrices need.
inline std::int64_t svd_workspace(std::int64_t m, std::int64_t n, std::int64_t batch) {
  const std::int64_t shorter = m < n ? m : n;
  return (m * n + shorter * shorter + 2 * shorter) * batch;
}

/// What is wanted of A = U S V^H.
template <class Number>
struct SingularValues {
  int kept = 0;  ///< so many of the largest values
  Real<Number>* values = nullptr;
  long long values_stride = 0;
  Matrices<Number> u, v;
  int u_columns = 0, v_columns = 0;  ///< 0: not wanted
  bool v_adjoint = false;            ///< v gets V^H; of matrices with m >= n
  double* residuals = nullptr;       ///< null, or the norm of the values that are not kept
  int* infos = nullptr;              ///< 0, or min(m, n) + 1 without convergence
};

/// The singular values of m x n matrices in descending order, with their vectors. The matrices do not change.
/// `settings` can be null.
template <class Number>
Error find_singular_values(const void* stream, int m, int n, const Matrices<const Number>& a,
                           const SingularValues<Number>& wanted, Number* workspace, const JacobiSettings* settings,
                           int batch);

}  // namespace warpwalk::simulated::libraries
