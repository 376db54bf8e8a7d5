// Updates of a triangle: syrk, herk, syr2k, her2k, syr, her, syr2, her2.
#include "instrumentation/simulated/libraries/cublas/structured_call.h"

namespace warpwalk::simulated::libraries {
namespace {

using namespace stand_in::cublas;

/// A triangle of C of n rows, and how it is updated.
struct TriangleUpdate {
  const BlasHandle* handle = nullptr;
  FillMode fill{};
  int n = 0, k = 0;
  bool is_hermitian = false;
  StructuredMatrix a{}, b{};  ///< of n rows and k columns
  void* c = nullptr;
  std::int64_t c_leading = 0;
};

/// C = alpha * A * B^T + beta * C, with B^H if it is Hermitian. No beta: 1.
template <class Number, class Alpha, class Beta>
BlasStatus update_triangle(const TriangleUpdate& update, const Alpha* alpha, bool conjugates_alpha, const Beta* beta) {
  const BlasHandle& handle = *update.handle;
  StructuredProduct p{};
  p.m = p.n = update.n;
  p.k = update.k;
  p.a = update.a;
  p.b = transposed(update.b, update.is_hermitian);
  p.c = update.c, p.c_row = 1, p.c_column = update.c_leading;
  p.part = part_of(update.fill);
  p.is_hermitian = static_cast<int>(update.is_hermitian);
  p.conjugates_alpha = static_cast<int>(conjugates_alpha);
  p.real_alpha = static_cast<int>(!std::is_same_v<Alpha, Number>);
  p.real_beta = static_cast<int>(!std::is_same_v<Beta, Number>);
  set_scalar(handle, alpha, p.alpha, p.alpha_imaginary, p.alpha_at);
  p.beta = 1;
  if (beta != nullptr) set_scalar(handle, beta, p.beta, p.beta_imaginary, p.beta_at);
  return launch_structured<Number>(handle, p);
}

/// C = alpha * A * B^T + alpha * B * A^T + beta * C; if Hermitian, the second alpha is conjugated.
template <class Number, class Beta>
BlasStatus update_triangle_by_two(TriangleUpdate update, const Number* alpha, const Beta* beta) {
  const BlasStatus status = update_triangle<Number>(update, alpha, false, beta);
  if (status != BlasStatus::success) return status;
  std::swap(update.a, update.b);
  return update_triangle<Number>(update, alpha, update.is_hermitian, static_cast<const Beta*>(nullptr));
}

/// op(A) with n rows and k columns.
template <class Number>
StructuredMatrix rank_operand(Operation operation, const Number* a, std::int64_t leading, bool is_hermitian) {
  const StructuredMatrix matrix = plain_matrix(a, leading);
  return operation == Operation::none ? matrix : transposed(matrix, is_hermitian);
}

bool valid_rank_update(FillMode fill, Operation operation, int n, int k, std::int64_t lda, std::int64_t ldc) {
  return n >= 0 && k >= 0 && is_triangle(fill) && lda >= std::max(1, operation == Operation::none ? n : k) &&
         ldc >= std::max(1, n);
}

/// syrk and herk.
template <class Number, class Scalar>
BlasStatus rank_update(const BlasHandle* handle, bool is_hermitian, FillMode fill, Operation operation, int n, int k,
                       const Scalar* alpha, const Number* a, int lda, const Scalar* beta, Number* c, int ldc) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (!valid_rank_update(fill, operation, n, k, lda, ldc) || alpha == nullptr || beta == nullptr)
    return BlasStatus::invalid_value;
  const StructuredMatrix of_a = rank_operand(operation, a, lda, is_hermitian);
  return update_triangle<Number>({handle, fill, n, k, is_hermitian, of_a, of_a, c, ldc}, alpha, false, beta);
}

/// syr2k and her2k.
template <class Number, class Beta>
BlasStatus rank_update_by_two(const BlasHandle* handle, bool is_hermitian, FillMode fill, Operation operation, int n,
                              int k, const Number* alpha, const Number* a, int lda, const Number* b, int ldb,
                              const Beta* beta, Number* c, int ldc) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (!valid_rank_update(fill, operation, n, k, std::min(lda, ldb), ldc) || alpha == nullptr || beta == nullptr)
    return BlasStatus::invalid_value;
  return update_triangle_by_two<Number>(
      {handle, fill, n, k, is_hermitian, rank_operand(operation, a, lda, is_hermitian),
       rank_operand(operation, b, ldb, is_hermitian), c, ldc},
      alpha, beta);
}

/// syr and her.
template <class Number, class Alpha>
BlasStatus update_by_vector(const BlasHandle* handle, bool is_hermitian, FillMode fill, int n, const Alpha* alpha,
                            const Number* x, int x_step, Number* a, int lda) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n < 0 || !is_triangle(fill) || x_step == 0 || lda < std::max(1, n) || alpha == nullptr)
    return BlasStatus::invalid_value;
  const StructuredMatrix vector = column_vector(x, n, x_step);
  return update_triangle<Number>({handle, fill, n, 1, is_hermitian, vector, vector, a, lda}, alpha, false,
                                 static_cast<const Number*>(nullptr));
}

/// syr2 and her2.
template <class Number>
BlasStatus update_by_two_vectors(const BlasHandle* handle, bool is_hermitian, FillMode fill, int n, const Number* alpha,
                                 const Number* x, int x_step, const Number* y, int y_step, Number* a, int lda) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n < 0 || !is_triangle(fill) || x_step == 0 || y_step == 0 || lda < std::max(1, n) || alpha == nullptr)
    return BlasStatus::invalid_value;
  return update_triangle_by_two<Number>(
      {handle, fill, n, 1, is_hermitian, column_vector(x, n, x_step), column_vector(y, n, y_step), a, lda}, alpha,
      static_cast<const Number*>(nullptr));
}

}  // namespace

extern "C" {

BlasStatus cublasSsyrk_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k, const float* alpha,
                          const float* a, int lda, const float* beta, float* c, int ldc) {
  return rank_update(handle, false, fill, operation, n, k, alpha, a, lda, beta, c, ldc);
}
BlasStatus cublasSsyr2k_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k, const float* alpha,
                           const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc) {
  return rank_update_by_two(handle, false, fill, operation, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasSsyr_v2(BlasHandle* handle, FillMode fill, int n, const float* alpha, const float* x, int x_step,
                         float* a, int lda) {
  return update_by_vector(handle, false, fill, n, alpha, x, x_step, a, lda);
}
BlasStatus cublasSsyr2_v2(BlasHandle* handle, FillMode fill, int n, const float* alpha, const float* x, int x_step,
                          const float* y, int y_step, float* a, int lda) {
  return update_by_two_vectors(handle, false, fill, n, alpha, x, x_step, y, y_step, a, lda);
}
BlasStatus cublasDsyrk_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k, const double* alpha,
                          const double* a, int lda, const double* beta, double* c, int ldc) {
  return rank_update(handle, false, fill, operation, n, k, alpha, a, lda, beta, c, ldc);
}
BlasStatus cublasDsyr2k_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k, const double* alpha,
                           const double* a, int lda, const double* b, int ldb, const double* beta, double* c, int ldc) {
  return rank_update_by_two(handle, false, fill, operation, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasDsyr_v2(BlasHandle* handle, FillMode fill, int n, const double* alpha, const double* x, int x_step,
                         double* a, int lda) {
  return update_by_vector(handle, false, fill, n, alpha, x, x_step, a, lda);
}
BlasStatus cublasDsyr2_v2(BlasHandle* handle, FillMode fill, int n, const double* alpha, const double* x, int x_step,
                          const double* y, int y_step, double* a, int lda) {
  return update_by_two_vectors(handle, false, fill, n, alpha, x, x_step, y, y_step, a, lda);
}
BlasStatus cublasCsyrk_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k,
                          const ComplexFloat* alpha, const ComplexFloat* a, int lda, const ComplexFloat* beta,
                          ComplexFloat* c, int ldc) {
  return rank_update(handle, false, fill, operation, n, k, alpha, a, lda, beta, c, ldc);
}
BlasStatus cublasCsyr2k_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k,
                           const ComplexFloat* alpha, const ComplexFloat* a, int lda, const ComplexFloat* b, int ldb,
                           const ComplexFloat* beta, ComplexFloat* c, int ldc) {
  return rank_update_by_two(handle, false, fill, operation, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasCsyr_v2(BlasHandle* handle, FillMode fill, int n, const ComplexFloat* alpha, const ComplexFloat* x,
                         int x_step, ComplexFloat* a, int lda) {
  return update_by_vector(handle, false, fill, n, alpha, x, x_step, a, lda);
}
BlasStatus cublasCsyr2_v2(BlasHandle* handle, FillMode fill, int n, const ComplexFloat* alpha, const ComplexFloat* x,
                          int x_step, const ComplexFloat* y, int y_step, ComplexFloat* a, int lda) {
  return update_by_two_vectors(handle, false, fill, n, alpha, x, x_step, y, y_step, a, lda);
}
BlasStatus cublasZsyrk_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k,
                          const ComplexDouble* alpha, const ComplexDouble* a, int lda, const ComplexDouble* beta,
                          ComplexDouble* c, int ldc) {
  return rank_update(handle, false, fill, operation, n, k, alpha, a, lda, beta, c, ldc);
}
BlasStatus cublasZsyr2k_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k,
                           const ComplexDouble* alpha, const ComplexDouble* a, int lda, const ComplexDouble* b, int ldb,
                           const ComplexDouble* beta, ComplexDouble* c, int ldc) {
  return rank_update_by_two(handle, false, fill, operation, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasZsyr_v2(BlasHandle* handle, FillMode fill, int n, const ComplexDouble* alpha, const ComplexDouble* x,
                         int x_step, ComplexDouble* a, int lda) {
  return update_by_vector(handle, false, fill, n, alpha, x, x_step, a, lda);
}
BlasStatus cublasZsyr2_v2(BlasHandle* handle, FillMode fill, int n, const ComplexDouble* alpha, const ComplexDouble* x,
                          int x_step, const ComplexDouble* y, int y_step, ComplexDouble* a, int lda) {
  return update_by_two_vectors(handle, false, fill, n, alpha, x, x_step, y, y_step, a, lda);
}
BlasStatus cublasCherk_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k, const float* alpha,
                          const ComplexFloat* a, int lda, const float* beta, ComplexFloat* c, int ldc) {
  return rank_update(handle, true, fill, operation, n, k, alpha, a, lda, beta, c, ldc);
}
BlasStatus cublasCher2k_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k,
                           const ComplexFloat* alpha, const ComplexFloat* a, int lda, const ComplexFloat* b, int ldb,
                           const float* beta, ComplexFloat* c, int ldc) {
  return rank_update_by_two(handle, true, fill, operation, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasCher_v2(BlasHandle* handle, FillMode fill, int n, const float* alpha, const ComplexFloat* x,
                         int x_step, ComplexFloat* a, int lda) {
  return update_by_vector(handle, true, fill, n, alpha, x, x_step, a, lda);
}
BlasStatus cublasCher2_v2(BlasHandle* handle, FillMode fill, int n, const ComplexFloat* alpha, const ComplexFloat* x,
                          int x_step, const ComplexFloat* y, int y_step, ComplexFloat* a, int lda) {
  return update_by_two_vectors(handle, true, fill, n, alpha, x, x_step, y, y_step, a, lda);
}
BlasStatus cublasZherk_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k, const double* alpha,
                          const ComplexDouble* a, int lda, const double* beta, ComplexDouble* c, int ldc) {
  return rank_update(handle, true, fill, operation, n, k, alpha, a, lda, beta, c, ldc);
}
BlasStatus cublasZher2k_v2(BlasHandle* handle, FillMode fill, Operation operation, int n, int k,
                           const ComplexDouble* alpha, const ComplexDouble* a, int lda, const ComplexDouble* b, int ldb,
                           const double* beta, ComplexDouble* c, int ldc) {
  return rank_update_by_two(handle, true, fill, operation, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
BlasStatus cublasZher_v2(BlasHandle* handle, FillMode fill, int n, const double* alpha, const ComplexDouble* x,
                         int x_step, ComplexDouble* a, int lda) {
  return update_by_vector(handle, true, fill, n, alpha, x, x_step, a, lda);
}
BlasStatus cublasZher2_v2(BlasHandle* handle, FillMode fill, int n, const ComplexDouble* alpha, const ComplexDouble* x,
                          int x_step, const ComplexDouble* y, int y_step, ComplexDouble* a, int lda) {
  return update_by_two_vectors(handle, true, fill, n, alpha, x, x_step, y, y_step, a, lda);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
