// getrf, getrs.
#include "instrumentation/simulated/libraries/cusolver/abi.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {
namespace {

template <class Number>
SolverStatus factor_lu_of(SolverHandle* handle, int m, int n, Number* a, int lda, int* pivots, int* info) {
  return solver_call(handle, m >= 0 && n >= 0 && lda >= std::max(1, m),
                     [&] { return factor_lu(handle->stream, m, n, column_major(a, lda), pivots, info, 1); });
}

template <class Number>
SolverStatus solve_lu_of(SolverHandle* handle, Operation operation, int n, int columns, const Number* a, int lda,
                         const int* pivots, Number* b, int ldb, int* info) {
  const bool known =
      operation == Operation::none || operation == Operation::transpose || operation == Operation::conjugate_transpose;
  const int least = std::max(1, n);
  return solver_call(handle, known && n >= 0 && columns >= 0 && lda >= least && ldb >= least, [&] {
    const Error error = clear(handle->stream, info, sizeof(int));
    if (error != Error::success) return error;
    return solve_lu(handle->stream, operation, n, columns, column_major(a, lda), pivots, column_major(b, ldb), 1);
  });
}

}  // namespace

extern "C" {

SolverStatus cusolverDnSgetrf_bufferSize(SolverHandle* handle, int m, int n, float*, int lda, int* size) {
  return report_size(handle, m >= 0 && n >= 0 && lda >= std::max(1, m), n, size);
}
SolverStatus cusolverDnDgetrf_bufferSize(SolverHandle* handle, int m, int n, double*, int lda, int* size) {
  return report_size(handle, m >= 0 && n >= 0 && lda >= std::max(1, m), n, size);
}
SolverStatus cusolverDnCgetrf_bufferSize(SolverHandle* handle, int m, int n, std::complex<float>*, int lda, int* size) {
  return report_size(handle, m >= 0 && n >= 0 && lda >= std::max(1, m), n, size);
}
SolverStatus cusolverDnZgetrf_bufferSize(SolverHandle* handle, int m, int n, std::complex<double>*, int lda,
                                         int* size) {
  return report_size(handle, m >= 0 && n >= 0 && lda >= std::max(1, m), n, size);
}

SolverStatus cusolverDnSgetrf(SolverHandle* handle, int m, int n, float* a, int lda, float*, int* pivots, int* info) {
  return factor_lu_of(handle, m, n, a, lda, pivots, info);
}
SolverStatus cusolverDnDgetrf(SolverHandle* handle, int m, int n, double* a, int lda, double*, int* pivots, int* info) {
  return factor_lu_of(handle, m, n, a, lda, pivots, info);
}
SolverStatus cusolverDnCgetrf(SolverHandle* handle, int m, int n, std::complex<float>* a, int lda, std::complex<float>*,
                              int* pivots, int* info) {
  return factor_lu_of(handle, m, n, a, lda, pivots, info);
}
SolverStatus cusolverDnZgetrf(SolverHandle* handle, int m, int n, std::complex<double>* a, int lda,
                              std::complex<double>*, int* pivots, int* info) {
  return factor_lu_of(handle, m, n, a, lda, pivots, info);
}

SolverStatus cusolverDnSgetrs(SolverHandle* handle, Operation operation, int n, int columns, const float* a, int lda,
                              const int* pivots, float* b, int ldb, int* info) {
  return solve_lu_of(handle, operation, n, columns, a, lda, pivots, b, ldb, info);
}
SolverStatus cusolverDnDgetrs(SolverHandle* handle, Operation operation, int n, int columns, const double* a, int lda,
                              const int* pivots, double* b, int ldb, int* info) {
  return solve_lu_of(handle, operation, n, columns, a, lda, pivots, b, ldb, info);
}
SolverStatus cusolverDnCgetrs(SolverHandle* handle, Operation operation, int n, int columns,
                              const std::complex<float>* a, int lda, const int* pivots, std::complex<float>* b, int ldb,
                              int* info) {
  return solve_lu_of(handle, operation, n, columns, a, lda, pivots, b, ldb, info);
}
SolverStatus cusolverDnZgetrs(SolverHandle* handle, Operation operation, int n, int columns,
                              const std::complex<double>* a, int lda, const int* pivots, std::complex<double>* b,
                              int ldb, int* info) {
  return solve_lu_of(handle, operation, n, columns, a, lda, pivots, b, ldb, info);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
