// trsv, trsm, trsmBatched.
#include "instrumentation/simulated/libraries/cublas/abi.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {
namespace {

BlasStatus triangular_status(Error error) {
  return error == Error::success ? BlasStatus::success : BlasStatus::execution_failed;
}

bool is_known(const Triangle& triangle) {
  return (triangle.side == SideMode::left || triangle.side == SideMode::right) &&
         (triangle.fill == FillMode::lower || triangle.fill == FillMode::upper) &&
         (triangle.operation == Operation::none || triangle.operation == Operation::transpose ||
          triangle.operation == Operation::conjugate_transpose) &&
         (triangle.diagonal == DiagonalType::non_unit || triangle.diagonal == DiagonalType::unit);
}

template <class Number>
BlasStatus triangular_systems(BlasHandle* handle, const Triangle& triangle, int m, int n, const Number* alpha,
                              const Matrices<const Number>& a, const Matrices<Number>& b, int batch) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  const int order = triangle.side == SideMode::left ? m : n;
  if (!is_known(triangle) || m < 0 || n < 0 || batch < 0 || a.column_step < std::max(1, order) ||
      b.column_step < std::max(1, m))
    return BlasStatus::invalid_value;
  if (m == 0 || n == 0 || batch == 0) return BlasStatus::success;
  if (alpha == nullptr) return BlasStatus::invalid_value;
  const bool on_device = handle->pointer_mode == PointerMode::device;
  return triangular_status(solve_triangular(handle->stream, triangle, m, n, on_device ? Number{} : *alpha,
                                            on_device ? alpha : nullptr, a, b, batch));
}

/// One system, whose right-hand side is the vector x.
template <class Number>
BlasStatus triangular_vector(BlasHandle* handle, const Triangle& triangle, int n, const Number* a, int leading,
                             Number* x, int step) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (!is_known(triangle) || n < 0 || leading < std::max(1, n) || step == 0) return BlasStatus::invalid_value;
  if (n == 0) return BlasStatus::success;
  Matrices<Number> vector = column_major(x, 1);
  vector.row_step = std::abs(step);
  if (step < 0) vector = vector.rows_reversed(n);
  return triangular_status(solve_triangular<Number>(handle->stream, triangle, n, 1, Number{1}, nullptr,
                                                    column_major(a, leading), vector, 1));
}

}  // namespace

extern "C" {

BlasStatus cublasStrsm_v2(BlasHandle* handle, SideMode side, FillMode fill, Operation operation, DiagonalType diagonal,
                          int m, int n, const float* alpha, const float* a, int lda, float* b, int ldb) {
  return triangular_systems(handle, {side, fill, operation, diagonal}, m, n, alpha, column_major(a, lda),
                            column_major(b, ldb), 1);
}
BlasStatus cublasDtrsm_v2(BlasHandle* handle, SideMode side, FillMode fill, Operation operation, DiagonalType diagonal,
                          int m, int n, const double* alpha, const double* a, int lda, double* b, int ldb) {
  return triangular_systems(handle, {side, fill, operation, diagonal}, m, n, alpha, column_major(a, lda),
                            column_major(b, ldb), 1);
}
BlasStatus cublasCtrsm_v2(BlasHandle* handle, SideMode side, FillMode fill, Operation operation, DiagonalType diagonal,
                          int m, int n, const std::complex<float>* alpha, const std::complex<float>* a, int lda,
                          std::complex<float>* b, int ldb) {
  return triangular_systems(handle, {side, fill, operation, diagonal}, m, n, alpha, column_major(a, lda),
                            column_major(b, ldb), 1);
}
BlasStatus cublasZtrsm_v2(BlasHandle* handle, SideMode side, FillMode fill, Operation operation, DiagonalType diagonal,
                          int m, int n, const std::complex<double>* alpha, const std::complex<double>* a, int lda,
                          std::complex<double>* b, int ldb) {
  return triangular_systems(handle, {side, fill, operation, diagonal}, m, n, alpha, column_major(a, lda),
                            column_major(b, ldb), 1);
}

BlasStatus cublasStrsmBatched(BlasHandle* handle, SideMode side, FillMode fill, Operation operation,
                              DiagonalType diagonal, int m, int n, const float* alpha, const float* const* a, int lda,
                              float* const* b, int ldb, int batch) {
  return triangular_systems(handle, {side, fill, operation, diagonal}, m, n, alpha, column_major(a, lda),
                            column_major(b, ldb), batch);
}
BlasStatus cublasDtrsmBatched(BlasHandle* handle, SideMode side, FillMode fill, Operation operation,
                              DiagonalType diagonal, int m, int n, const double* alpha, const double* const* a, int lda,
                              double* const* b, int ldb, int batch) {
  return triangular_systems(handle, {side, fill, operation, diagonal}, m, n, alpha, column_major(a, lda),
                            column_major(b, ldb), batch);
}
BlasStatus cublasCtrsmBatched(BlasHandle* handle, SideMode side, FillMode fill, Operation operation,
                              DiagonalType diagonal, int m, int n, const std::complex<float>* alpha,
                              const std::complex<float>* const* a, int lda, std::complex<float>* const* b, int ldb,
                              int batch) {
  return triangular_systems(handle, {side, fill, operation, diagonal}, m, n, alpha, column_major(a, lda),
                            column_major(b, ldb), batch);
}
BlasStatus cublasZtrsmBatched(BlasHandle* handle, SideMode side, FillMode fill, Operation operation,
                              DiagonalType diagonal, int m, int n, const std::complex<double>* alpha,
                              const std::complex<double>* const* a, int lda, std::complex<double>* const* b, int ldb,
                              int batch) {
  return triangular_systems(handle, {side, fill, operation, diagonal}, m, n, alpha, column_major(a, lda),
                            column_major(b, ldb), batch);
}

BlasStatus cublasStrsv_v2(BlasHandle* handle, FillMode fill, Operation operation, DiagonalType diagonal, int n,
                          const float* a, int lda, float* x, int step) {
  return triangular_vector(handle, {SideMode::left, fill, operation, diagonal}, n, a, lda, x, step);
}
BlasStatus cublasDtrsv_v2(BlasHandle* handle, FillMode fill, Operation operation, DiagonalType diagonal, int n,
                          const double* a, int lda, double* x, int step) {
  return triangular_vector(handle, {SideMode::left, fill, operation, diagonal}, n, a, lda, x, step);
}
BlasStatus cublasCtrsv_v2(BlasHandle* handle, FillMode fill, Operation operation, DiagonalType diagonal, int n,
                          const std::complex<float>* a, int lda, std::complex<float>* x, int step) {
  return triangular_vector(handle, {SideMode::left, fill, operation, diagonal}, n, a, lda, x, step);
}
BlasStatus cublasZtrsv_v2(BlasHandle* handle, FillMode fill, Operation operation, DiagonalType diagonal, int n,
                          const std::complex<double>* a, int lda, std::complex<double>* x, int step) {
  return triangular_vector(handle, {SideMode::left, fill, operation, diagonal}, n, a, lda, x, step);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
