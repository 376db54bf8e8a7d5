// getrfBatched, getrsBatched, geqrfBatched, gelsBatched.
#include <optional>

#include "instrumentation/simulated/libraries/cublas/abi.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {
namespace {

BlasStatus factor_status(Error error) {
  return error == Error::success ? BlasStatus::success : BlasStatus::execution_failed;
}

/// Reports which argument is invalid, counted from 1 after the handle, as these functions do on the host: -i.
BlasStatus argument_status(int* info, int invalid) {
  if (info != nullptr) *info = -invalid;
  return invalid == 0 ? BlasStatus::success : BlasStatus::invalid_value;
}

bool known(Operation operation) {
  return operation == Operation::none || operation == Operation::transpose ||
         operation == Operation::conjugate_transpose;
}

template <class Number>
BlasStatus factor_lu_batched(BlasHandle* handle, int n, Number* const* a, int lda, int* pivots, int* infos, int batch) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n < 0 || batch < 0 || lda < std::max(1, n)) return BlasStatus::invalid_value;
  return factor_status(factor_lu(handle->stream, n, n, column_major(a, lda), pivots, infos, batch));
}

template <class Number>
BlasStatus solve_lu_batched(BlasHandle* handle, Operation operation, int n, int columns, const Number* const* a,
                            int lda, const int* pivots, Number* const* b, int ldb, int* info, int batch) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  const int least = std::max(1, n);
  const int invalid = !known(operation) ? 1
                      : n < 0           ? 2
                      : columns < 0     ? 3
                      : lda < least     ? 5
                      : ldb < least     ? 8
                      : batch < 0       ? 10
                                        : 0;
  if (const BlasStatus status = argument_status(info, invalid); status != BlasStatus::success) return status;
  return factor_status(
      solve_lu(handle->stream, operation, n, columns, column_major(a, lda), pivots, column_major(b, ldb), batch));
}

template <class Number>
BlasStatus factor_qr_batched(BlasHandle* handle, int m, int n, Number* const* a, int lda, Number* const* taus,
                             int* info, int batch) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  const int invalid = m < 0 ? 1 : n < 0 ? 2 : lda < std::max(1, m) ? 4 : batch < 0 ? 7 : 0;
  if (const BlasStatus status = argument_status(info, invalid); status != BlasStatus::success) return status;
  return factor_status(factor_qr(handle->stream, m, n, column_major(a, lda), column_major(taus, 1), batch));
}

template <class Number>
BlasStatus least_squares_batched(BlasHandle* handle, Operation operation, int m, int n, int columns, Number* const* a,
                                 int lda, Number* const* c, int ldc, int* info, int* infos, int batch) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  const int invalid = operation != Operation::none ? 1
                      : m < 0 || m < n             ? 2
                      : n < 0                      ? 3
                      : columns < 0                ? 4
                      : lda < std::max(1, m)       ? 6
                      : ldc < std::max(1, m)       ? 8
                      : batch < 0                  ? 11
                                                   : 0;
  if (const BlasStatus status = argument_status(info, invalid); status != BlasStatus::success) {
    return operation == Operation::transpose || operation == Operation::conjugate_transpose ? BlasStatus::not_supported
                                                                                            : status;
  }
  const Matrices<Number> matrices = column_major(a, lda), sides = column_major(c, ldc);
  Error error = solve_least_squares(handle->stream, m, n, columns, matrices, sides, batch);
  if (error == Error::success) error = find_zero_diagonal(handle->stream, n, matrices.read_only(), infos, batch);
  return factor_status(error);
}

}  // namespace

extern "C" {

BlasStatus cublasSgetrfBatched(BlasHandle* handle, int n, float* const* a, int lda, int* pivots, int* infos,
                               int batch) {
  return factor_lu_batched(handle, n, a, lda, pivots, infos, batch);
}
BlasStatus cublasDgetrfBatched(BlasHandle* handle, int n, double* const* a, int lda, int* pivots, int* infos,
                               int batch) {
  return factor_lu_batched(handle, n, a, lda, pivots, infos, batch);
}
BlasStatus cublasCgetrfBatched(BlasHandle* handle, int n, std::complex<float>* const* a, int lda, int* pivots,
                               int* infos, int batch) {
  return factor_lu_batched(handle, n, a, lda, pivots, infos, batch);
}
BlasStatus cublasZgetrfBatched(BlasHandle* handle, int n, std::complex<double>* const* a, int lda, int* pivots,
                               int* infos, int batch) {
  return factor_lu_batched(handle, n, a, lda, pivots, infos, batch);
}

BlasStatus cublasSgetrsBatched(BlasHandle* handle, Operation operation, int n, int columns, const float* const* a,
                               int lda, const int* pivots, float* const* b, int ldb, int* info, int batch) {
  return solve_lu_batched(handle, operation, n, columns, a, lda, pivots, b, ldb, info, batch);
}
BlasStatus cublasDgetrsBatched(BlasHandle* handle, Operation operation, int n, int columns, const double* const* a,
                               int lda, const int* pivots, double* const* b, int ldb, int* info, int batch) {
  return solve_lu_batched(handle, operation, n, columns, a, lda, pivots, b, ldb, info, batch);
}
BlasStatus cublasCgetrsBatched(BlasHandle* handle, Operation operation, int n, int columns,
                               const std::complex<float>* const* a, int lda, const int* pivots,
                               std::complex<float>* const* b, int ldb, int* info, int batch) {
  return solve_lu_batched(handle, operation, n, columns, a, lda, pivots, b, ldb, info, batch);
}
BlasStatus cublasZgetrsBatched(BlasHandle* handle, Operation operation, int n, int columns,
                               const std::complex<double>* const* a, int lda, const int* pivots,
                               std::complex<double>* const* b, int ldb, int* info, int batch) {
  return solve_lu_batched(handle, operation, n, columns, a, lda, pivots, b, ldb, info, batch);
}

BlasStatus cublasSgeqrfBatched(BlasHandle* handle, int m, int n, float* const* a, int lda, float* const* taus,
                               int* info, int batch) {
  return factor_qr_batched(handle, m, n, a, lda, taus, info, batch);
}
BlasStatus cublasDgeqrfBatched(BlasHandle* handle, int m, int n, double* const* a, int lda, double* const* taus,
                               int* info, int batch) {
  return factor_qr_batched(handle, m, n, a, lda, taus, info, batch);
}
BlasStatus cublasCgeqrfBatched(BlasHandle* handle, int m, int n, std::complex<float>* const* a, int lda,
                               std::complex<float>* const* taus, int* info, int batch) {
  return factor_qr_batched(handle, m, n, a, lda, taus, info, batch);
}
BlasStatus cublasZgeqrfBatched(BlasHandle* handle, int m, int n, std::complex<double>* const* a, int lda,
                               std::complex<double>* const* taus, int* info, int batch) {
  return factor_qr_batched(handle, m, n, a, lda, taus, info, batch);
}

BlasStatus cublasSgelsBatched(BlasHandle* handle, Operation operation, int m, int n, int columns, float* const* a,
                              int lda, float* const* c, int ldc, int* info, int* infos, int batch) {
  return least_squares_batched(handle, operation, m, n, columns, a, lda, c, ldc, info, infos, batch);
}
BlasStatus cublasDgelsBatched(BlasHandle* handle, Operation operation, int m, int n, int columns, double* const* a,
                              int lda, double* const* c, int ldc, int* info, int* infos, int batch) {
  return least_squares_batched(handle, operation, m, n, columns, a, lda, c, ldc, info, infos, batch);
}
BlasStatus cublasCgelsBatched(BlasHandle* handle, Operation operation, int m, int n, int columns,
                              std::complex<float>* const* a, int lda, std::complex<float>* const* c, int ldc, int* info,
                              int* infos, int batch) {
  return least_squares_batched(handle, operation, m, n, columns, a, lda, c, ldc, info, infos, batch);
}
BlasStatus cublasZgelsBatched(BlasHandle* handle, Operation operation, int m, int n, int columns,
                              std::complex<double>* const* a, int lda, std::complex<double>* const* c, int ldc,
                              int* info, int* infos, int batch) {
  return least_squares_batched(handle, operation, m, n, columns, a, lda, c, ldc, info, infos, batch);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
