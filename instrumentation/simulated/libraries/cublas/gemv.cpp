// Products of a matrix and a vector: gemv.
#include <algorithm>

#include "instrumentation/simulated/libraries/cublas/vectors.h"

namespace warpwalk::simulated::libraries {
namespace {

/// The kernels' Scalars<Number> (kernels/libraries/cublas/gemv.cu). CUDA's complex numbers are aligned to their size.
template <class Number>
struct alignas(sizeof(Number)) GemvScalars {
  alignas(sizeof(Number)) Number alpha{};
  alignas(sizeof(Number)) Number beta{};
  const Number *alpha_at = nullptr, *beta_at = nullptr;
};

template <class Number>
BlasStatus multiply_vector(const BlasHandle* handle, Operation operation, int m, int n, const Number* alpha,
                           const Number* a, int lda, const Number* x, int x_step, const Number* beta, Number* y,
                           int y_step) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (m < 0 || n < 0 || lda < std::max(1, m) || x_step == 0 || y_step == 0) return BlasStatus::invalid_value;
  const bool transposes = operation != Operation::none;
  const int length = transposes ? n : m;
  if (m == 0 || n == 0) return BlasStatus::success;
  if (alpha == nullptr || beta == nullptr) return BlasStatus::invalid_value;
  GemvScalars<Number> scalars;
  const ScalarArgument<Number> of_alpha(*handle, alpha), of_beta(*handle, beta);
  scalars.alpha = of_alpha.value, scalars.alpha_at = of_alpha.at;
  scalars.beta = of_beta.value, scalars.beta_at = of_beta.at;
  const Number* const first_x = first_element(x, transposes ? m : n, x_step);
  Number* const first_y = first_element(y, length, y_step);
  const auto columns = static_cast<long long>(lda), to_x = static_cast<long long>(x_step),
             to_y = static_cast<long long>(y_step);
  if (!transposes)
    return blas_status(launch("gemv", kernel_of<Number>("gemv_rows"), shape_over(static_cast<std::uint64_t>(m), 128),
                              handle->stream, m, n, scalars, a, columns, first_x, to_x, first_y, to_y));
  return blas_status(launch("gemv", kernel_of<Number>("gemv_columns"),
                            shape_over(static_cast<std::uint64_t>(n) * 32, 128), handle->stream, m, n, scalars, a,
                            columns, first_x, to_x, first_y, to_y,
                            static_cast<int>(operation == Operation::conjugate_transpose)));
}

}  // namespace

extern "C" {

BlasStatus cublasSgemv_v2(BlasHandle* handle, Operation operation, int m, int n, const float* alpha, const float* a,
                          int lda, const float* x, int x_step, const float* beta, float* y, int y_step) {
  return multiply_vector(handle, operation, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
BlasStatus cublasDgemv_v2(BlasHandle* handle, Operation operation, int m, int n, const double* alpha, const double* a,
                          int lda, const double* x, int x_step, const double* beta, double* y, int y_step) {
  return multiply_vector(handle, operation, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
BlasStatus cublasCgemv_v2(BlasHandle* handle, Operation operation, int m, int n, const ComplexFloat* alpha,
                          const ComplexFloat* a, int lda, const ComplexFloat* x, int x_step, const ComplexFloat* beta,
                          ComplexFloat* y, int y_step) {
  return multiply_vector(handle, operation, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
BlasStatus cublasZgemv_v2(BlasHandle* handle, Operation operation, int m, int n, const ComplexDouble* alpha,
                          const ComplexDouble* a, int lda, const ComplexDouble* x, int x_step,
                          const ComplexDouble* beta, ComplexDouble* y, int y_step) {
  return multiply_vector(handle, operation, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
