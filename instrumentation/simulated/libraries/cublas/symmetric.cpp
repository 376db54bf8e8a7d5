// Products of a symmetric or Hermitian matrix: symm, hemm, symv, hemv; updates of a matrix by two vectors: ger.
#include "instrumentation/simulated/libraries/cublas/structured_call.h"

namespace warpwalk::simulated::libraries {
namespace {

using namespace stand_in::cublas;

/// C = alpha * A * B + beta * C, or B * A.
template <class Number>
BlasStatus multiply_symmetric(const BlasHandle* handle, Structure structure, SideMode side, FillMode fill, int m, int n,
                              const Number* alpha, const Number* a, int lda, const Number* b, int ldb,
                              const Number* beta, Number* c, int ldc) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  const int order = side == SideMode::left ? m : n;
  if (m < 0 || n < 0 || !is_triangle(fill) || lda < std::max(1, order) || ldb < std::max(1, m) || ldc < std::max(1, m))
    return BlasStatus::invalid_value;
  if (alpha == nullptr || beta == nullptr) return BlasStatus::invalid_value;
  StructuredMatrix of_a = plain_matrix(a, lda);
  of_a.structure = structure;
  of_a.is_lower = static_cast<int>(fill == FillMode::lower);
  StructuredProduct p{};
  p.m = m, p.n = n, p.k = order;
  p.a = side == SideMode::left ? of_a : plain_matrix(b, ldb);
  p.b = side == SideMode::left ? plain_matrix(b, ldb) : of_a;
  p.c = c, p.c_row = 1, p.c_column = ldc;
  set_scalar(*handle, alpha, p.alpha, p.alpha_imaginary, p.alpha_at);
  set_scalar(*handle, beta, p.beta, p.beta_imaginary, p.beta_at);
  return launch_structured<Number>(*handle, p);
}

/// y = alpha * A * x + beta * y
template <class Number>
BlasStatus multiply_symmetric_vector(const BlasHandle* handle, Structure structure, FillMode fill, int n,
                                     const Number* alpha, const Number* a, int lda, const Number* x, int x_step,
                                     const Number* beta, Number* y, int y_step) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n < 0 || !is_triangle(fill) || lda < std::max(1, n) || x_step == 0 || y_step == 0)
    return BlasStatus::invalid_value;
  if (alpha == nullptr || beta == nullptr) return BlasStatus::invalid_value;
  StructuredProduct p{};
  p.m = n, p.n = 1, p.k = n;
  p.a = plain_matrix(a, lda);
  p.a.structure = structure;
  p.a.is_lower = static_cast<int>(fill == FillMode::lower);
  p.b = column_vector(x, n, x_step);
  p.c = first_element(y, n, y_step), p.c_row = y_step, p.c_column = 0;
  set_scalar(*handle, alpha, p.alpha, p.alpha_imaginary, p.alpha_at);
  set_scalar(*handle, beta, p.beta, p.beta_imaginary, p.beta_at);
  return launch_structured<Number>(*handle, p);
}

/// A = alpha * x * y^T + A, or with the conjugate of y
template <class Number>
BlasStatus update_by_vectors(const BlasHandle* handle, int m, int n, const Number* alpha, const Number* x, int x_step,
                             const Number* y, int y_step, Number* a, int lda, bool conjugates) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (m < 0 || n < 0 || x_step == 0 || y_step == 0 || lda < std::max(1, m)) return BlasStatus::invalid_value;
  if (alpha == nullptr) return BlasStatus::invalid_value;
  StructuredProduct p{};
  p.m = m, p.n = n, p.k = 1;
  p.a = column_vector(x, m, x_step);
  p.b = transposed(column_vector(y, n, y_step), conjugates);
  p.c = a, p.c_row = 1, p.c_column = lda;
  p.beta = 1;
  set_scalar(*handle, alpha, p.alpha, p.alpha_imaginary, p.alpha_at);
  return launch_structured<Number>(*handle, p);
}

}  // namespace

extern "C" {

BlasStatus cublasSsymm_v2(BlasHandle* handle, SideMode side, FillMode fill, int m, int n, const float* alpha,
                          const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc) {
  return multiply_symmetric(handle, symmetric, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasSsymv_v2(BlasHandle* handle, FillMode fill, int n, const float* alpha, const float* a, int lda,
                          const float* x, int x_step, const float* beta, float* y, int y_step) {
  return multiply_symmetric_vector(handle, symmetric, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
BlasStatus cublasDsymm_v2(BlasHandle* handle, SideMode side, FillMode fill, int m, int n, const double* alpha,
                          const double* a, int lda, const double* b, int ldb, const double* beta, double* c, int ldc) {
  return multiply_symmetric(handle, symmetric, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasDsymv_v2(BlasHandle* handle, FillMode fill, int n, const double* alpha, const double* a, int lda,
                          const double* x, int x_step, const double* beta, double* y, int y_step) {
  return multiply_symmetric_vector(handle, symmetric, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
BlasStatus cublasCsymm_v2(BlasHandle* handle, SideMode side, FillMode fill, int m, int n, const ComplexFloat* alpha,
                          const ComplexFloat* a, int lda, const ComplexFloat* b, int ldb, const ComplexFloat* beta,
                          ComplexFloat* c, int ldc) {
  return multiply_symmetric(handle, symmetric, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasCsymv_v2(BlasHandle* handle, FillMode fill, int n, const ComplexFloat* alpha, const ComplexFloat* a,
                          int lda, const ComplexFloat* x, int x_step, const ComplexFloat* beta, ComplexFloat* y,
                          int y_step) {
  return multiply_symmetric_vector(handle, symmetric, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
BlasStatus cublasZsymm_v2(BlasHandle* handle, SideMode side, FillMode fill, int m, int n, const ComplexDouble* alpha,
                          const ComplexDouble* a, int lda, const ComplexDouble* b, int ldb, const ComplexDouble* beta,
                          ComplexDouble* c, int ldc) {
  return multiply_symmetric(handle, symmetric, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasZsymv_v2(BlasHandle* handle, FillMode fill, int n, const ComplexDouble* alpha, const ComplexDouble* a,
                          int lda, const ComplexDouble* x, int x_step, const ComplexDouble* beta, ComplexDouble* y,
                          int y_step) {
  return multiply_symmetric_vector(handle, symmetric, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
BlasStatus cublasChemm_v2(BlasHandle* handle, SideMode side, FillMode fill, int m, int n, const ComplexFloat* alpha,
                          const ComplexFloat* a, int lda, const ComplexFloat* b, int ldb, const ComplexFloat* beta,
                          ComplexFloat* c, int ldc) {
  return multiply_symmetric(handle, hermitian, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasChemv_v2(BlasHandle* handle, FillMode fill, int n, const ComplexFloat* alpha, const ComplexFloat* a,
                          int lda, const ComplexFloat* x, int x_step, const ComplexFloat* beta, ComplexFloat* y,
                          int y_step) {
  return multiply_symmetric_vector(handle, hermitian, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
BlasStatus cublasZhemm_v2(BlasHandle* handle, SideMode side, FillMode fill, int m, int n, const ComplexDouble* alpha,
                          const ComplexDouble* a, int lda, const ComplexDouble* b, int ldb, const ComplexDouble* beta,
                          ComplexDouble* c, int ldc) {
  return multiply_symmetric(handle, hermitian, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasZhemv_v2(BlasHandle* handle, FillMode fill, int n, const ComplexDouble* alpha, const ComplexDouble* a,
                          int lda, const ComplexDouble* x, int x_step, const ComplexDouble* beta, ComplexDouble* y,
                          int y_step) {
  return multiply_symmetric_vector(handle, hermitian, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}

BlasStatus cublasSger_v2(BlasHandle* handle, int m, int n, const float* alpha, const float* x, int x_step,
                         const float* y, int y_step, float* a, int lda) {
  return update_by_vectors(handle, m, n, alpha, x, x_step, y, y_step, a, lda, false);
}
BlasStatus cublasDger_v2(BlasHandle* handle, int m, int n, const double* alpha, const double* x, int x_step,
                         const double* y, int y_step, double* a, int lda) {
  return update_by_vectors(handle, m, n, alpha, x, x_step, y, y_step, a, lda, false);
}
BlasStatus cublasCgeru_v2(BlasHandle* handle, int m, int n, const ComplexFloat* alpha, const ComplexFloat* x,
                          int x_step, const ComplexFloat* y, int y_step, ComplexFloat* a, int lda) {
  return update_by_vectors(handle, m, n, alpha, x, x_step, y, y_step, a, lda, false);
}
BlasStatus cublasZgeru_v2(BlasHandle* handle, int m, int n, const ComplexDouble* alpha, const ComplexDouble* x,
                          int x_step, const ComplexDouble* y, int y_step, ComplexDouble* a, int lda) {
  return update_by_vectors(handle, m, n, alpha, x, x_step, y, y_step, a, lda, false);
}
BlasStatus cublasCgerc_v2(BlasHandle* handle, int m, int n, const ComplexFloat* alpha, const ComplexFloat* x,
                          int x_step, const ComplexFloat* y, int y_step, ComplexFloat* a, int lda) {
  return update_by_vectors(handle, m, n, alpha, x, x_step, y, y_step, a, lda, true);
}
BlasStatus cublasZgerc_v2(BlasHandle* handle, int m, int n, const ComplexDouble* alpha, const ComplexDouble* x,
                          int x_step, const ComplexDouble* y, int y_step, ComplexDouble* a, int lda) {
  return update_by_vectors(handle, m, n, alpha, x, x_step, y, y_step, a, lda, true);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
