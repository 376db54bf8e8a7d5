// Operations on vectors: scal, axpy, copy, swap, rot, rotm.
#include "instrumentation/simulated/libraries/cublas/vectors.h"

namespace warpwalk::simulated::libraries {
namespace {

template <class Number, class Factor>
BlasStatus scale_vector(const BlasHandle* handle, std::int64_t n, const Factor* alpha, Number* x, std::int64_t step) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n <= 0 || step <= 0) return BlasStatus::success;
  if (alpha == nullptr) return BlasStatus::invalid_value;
  const ScalarArgument<Factor> factor(*handle, alpha);
  return blas_status(launch("level1", kernel_of<Number, Factor>("scale"), shape_over(static_cast<std::uint64_t>(n)),
                            handle->stream, static_cast<long long>(n), factor.value, factor.at, x,
                            static_cast<long long>(step)));
}

template <class Number>
BlasStatus add_scaled_vector(const BlasHandle* handle, std::int64_t n, const Number* alpha, const Number* x,
                             std::int64_t x_step, Number* y, std::int64_t y_step) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n <= 0) return BlasStatus::success;
  if (alpha == nullptr) return BlasStatus::invalid_value;
  const ScalarArgument<Number> factor(*handle, alpha);
  return blas_status(launch("level1", kernel_of<Number>("add_scaled"), shape_over(static_cast<std::uint64_t>(n)),
                            handle->stream, static_cast<long long>(n), factor.value, factor.at,
                            first_element(x, n, x_step), static_cast<long long>(x_step), first_element(y, n, y_step),
                            static_cast<long long>(y_step)));
}

/// `kernel`: "copy" or "swap".
template <class From, class Number>
BlasStatus move_vector(const char* kernel, const BlasHandle* handle, std::int64_t n, From* x, std::int64_t x_step,
                       Number* y, std::int64_t y_step) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n <= 0) return BlasStatus::success;
  return blas_status(launch("level1", kernel_of<Number>(kernel), shape_over(static_cast<std::uint64_t>(n)),
                            handle->stream, static_cast<long long>(n), first_element(x, n, x_step),
                            static_cast<long long>(x_step), first_element(y, n, y_step),
                            static_cast<long long>(y_step)));
}

template <class Number, class Cosine, class Sine>
BlasStatus rotate_vectors(const BlasHandle* handle, std::int64_t n, Number* x, std::int64_t x_step, Number* y,
                          std::int64_t y_step, const Cosine* c, const Sine* s) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n <= 0) return BlasStatus::success;
  if (c == nullptr || s == nullptr) return BlasStatus::invalid_value;
  const ScalarArgument<Cosine> cosine(*handle, c);
  const ScalarArgument<Sine> sine(*handle, s);
  return blas_status(launch("level1", kernel_of<Number, Sine>("rotate"), shape_over(static_cast<std::uint64_t>(n)),
                            handle->stream, static_cast<long long>(n), first_element(x, n, x_step),
                            static_cast<long long>(x_step), first_element(y, n, y_step), static_cast<long long>(y_step),
                            cosine.value, cosine.at, sine.value, sine.at));
}

template <class Number>
BlasStatus rotate_modified(const BlasHandle* handle, std::int64_t n, Number* x, std::int64_t x_step, Number* y,
                           std::int64_t y_step, const Number* form) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n <= 0) return BlasStatus::success;
  if (form == nullptr) return BlasStatus::invalid_value;
  const Number* on_device = form;
  if (!handle->scalars_on_device()) {
    void* const own = reinterpret_cast<void*>(handle->scratch->address);
    const Error error = copy_and_wait(*handle, own, form, 5 * sizeof(Number));
    if (error != Error::success) return blas_status(error);
    on_device = static_cast<const Number*>(own);
  }
  return blas_status(launch("level1", kernel_of<Number>("rotate_modified"), shape_over(static_cast<std::uint64_t>(n)),
                            handle->stream, static_cast<long long>(n), first_element(x, n, x_step),
                            static_cast<long long>(x_step), first_element(y, n, y_step), static_cast<long long>(y_step),
                            on_device));
}

}  // namespace

extern "C" {

BlasStatus cublasSscal_v2(BlasHandle* handle, int n, const float* alpha, float* x, int step) {
  return scale_vector(handle, n, alpha, x, step);
}
BlasStatus cublasDscal_v2(BlasHandle* handle, int n, const double* alpha, double* x, int step) {
  return scale_vector(handle, n, alpha, x, step);
}
BlasStatus cublasCscal_v2(BlasHandle* handle, int n, const ComplexFloat* alpha, ComplexFloat* x, int step) {
  return scale_vector(handle, n, alpha, x, step);
}
BlasStatus cublasZscal_v2(BlasHandle* handle, int n, const ComplexDouble* alpha, ComplexDouble* x, int step) {
  return scale_vector(handle, n, alpha, x, step);
}
BlasStatus cublasCsscal_v2(BlasHandle* handle, int n, const float* alpha, ComplexFloat* x, int step) {
  return scale_vector(handle, n, alpha, x, step);
}
BlasStatus cublasZdscal_v2(BlasHandle* handle, int n, const double* alpha, ComplexDouble* x, int step) {
  return scale_vector(handle, n, alpha, x, step);
}

BlasStatus cublasSaxpy_v2(BlasHandle* handle, int n, const float* alpha, const float* x, int x_step, float* y,
                          int y_step) {
  return add_scaled_vector(handle, n, alpha, x, x_step, y, y_step);
}
BlasStatus cublasScopy_v2(BlasHandle* handle, int n, const float* x, int x_step, float* y, int y_step) {
  return move_vector("copy", handle, n, x, x_step, y, y_step);
}
BlasStatus cublasSswap_v2(BlasHandle* handle, int n, float* x, int x_step, float* y, int y_step) {
  return move_vector("swap", handle, n, x, x_step, y, y_step);
}
BlasStatus cublasDaxpy_v2(BlasHandle* handle, int n, const double* alpha, const double* x, int x_step, double* y,
                          int y_step) {
  return add_scaled_vector(handle, n, alpha, x, x_step, y, y_step);
}
BlasStatus cublasDcopy_v2(BlasHandle* handle, int n, const double* x, int x_step, double* y, int y_step) {
  return move_vector("copy", handle, n, x, x_step, y, y_step);
}
BlasStatus cublasDswap_v2(BlasHandle* handle, int n, double* x, int x_step, double* y, int y_step) {
  return move_vector("swap", handle, n, x, x_step, y, y_step);
}
BlasStatus cublasCaxpy_v2(BlasHandle* handle, int n, const ComplexFloat* alpha, const ComplexFloat* x, int x_step,
                          ComplexFloat* y, int y_step) {
  return add_scaled_vector(handle, n, alpha, x, x_step, y, y_step);
}
BlasStatus cublasCcopy_v2(BlasHandle* handle, int n, const ComplexFloat* x, int x_step, ComplexFloat* y, int y_step) {
  return move_vector("copy", handle, n, x, x_step, y, y_step);
}
BlasStatus cublasCswap_v2(BlasHandle* handle, int n, ComplexFloat* x, int x_step, ComplexFloat* y, int y_step) {
  return move_vector("swap", handle, n, x, x_step, y, y_step);
}
BlasStatus cublasZaxpy_v2(BlasHandle* handle, int n, const ComplexDouble* alpha, const ComplexDouble* x, int x_step,
                          ComplexDouble* y, int y_step) {
  return add_scaled_vector(handle, n, alpha, x, x_step, y, y_step);
}
BlasStatus cublasZcopy_v2(BlasHandle* handle, int n, const ComplexDouble* x, int x_step, ComplexDouble* y, int y_step) {
  return move_vector("copy", handle, n, x, x_step, y, y_step);
}
BlasStatus cublasZswap_v2(BlasHandle* handle, int n, ComplexDouble* x, int x_step, ComplexDouble* y, int y_step) {
  return move_vector("swap", handle, n, x, x_step, y, y_step);
}

BlasStatus cublasSrot_v2(BlasHandle* handle, int n, float* x, int x_step, float* y, int y_step, const float* c,
                         const float* s) {
  return rotate_vectors(handle, n, x, x_step, y, y_step, c, s);
}
BlasStatus cublasDrot_v2(BlasHandle* handle, int n, double* x, int x_step, double* y, int y_step, const double* c,
                         const double* s) {
  return rotate_vectors(handle, n, x, x_step, y, y_step, c, s);
}
BlasStatus cublasCrot_v2(BlasHandle* handle, int n, ComplexFloat* x, int x_step, ComplexFloat* y, int y_step,
                         const float* c, const ComplexFloat* s) {
  return rotate_vectors(handle, n, x, x_step, y, y_step, c, s);
}
BlasStatus cublasZrot_v2(BlasHandle* handle, int n, ComplexDouble* x, int x_step, ComplexDouble* y, int y_step,
                         const double* c, const ComplexDouble* s) {
  return rotate_vectors(handle, n, x, x_step, y, y_step, c, s);
}
BlasStatus cublasCsrot_v2(BlasHandle* handle, int n, ComplexFloat* x, int x_step, ComplexFloat* y, int y_step,
                          const float* c, const float* s) {
  return rotate_vectors(handle, n, x, x_step, y, y_step, c, s);
}
BlasStatus cublasZdrot_v2(BlasHandle* handle, int n, ComplexDouble* x, int x_step, ComplexDouble* y, int y_step,
                          const double* c, const double* s) {
  return rotate_vectors(handle, n, x, x_step, y, y_step, c, s);
}

BlasStatus cublasSrotm_v2(BlasHandle* handle, int n, float* x, int x_step, float* y, int y_step, const float* form) {
  return rotate_modified(handle, n, x, x_step, y, y_step, form);
}
BlasStatus cublasDrotm_v2(BlasHandle* handle, int n, double* x, int x_step, double* y, int y_step, const double* form) {
  return rotate_modified(handle, n, x, x_step, y, y_step, form);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
