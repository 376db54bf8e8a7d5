// geqrf, orgqr, ormqr; ungqr and unmqr of complex numbers.
#include "instrumentation/simulated/libraries/cusolver/abi.h"
#include "instrumentation/simulated/libraries/cusolver/with_type.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {
namespace {

bool valid_matrix(int m, int n, int lda) { return m >= 0 && n >= 0 && lda >= std::max(1, m); }

template <class Number>
SolverStatus factor_qr_of(SolverHandle* handle, int m, int n, Number* a, int lda, Number* tau, int* info) {
  return solver_call(handle, valid_matrix(m, n, lda), [&] {
    const Error error = clear(handle->stream, info, sizeof(int));
    if (error != Error::success) return error;
    return factor_qr(handle->stream, m, n, column_major(a, lda), column_major(tau, 1), 1);
  });
}

bool valid_q(int m, int n, int k, int lda) { return valid_matrix(m, n, lda) && n <= m && k >= 0 && k <= n; }

template <class Number>
SolverStatus form_q_of(SolverHandle* handle, int m, int n, int k, Number* a, int lda, const Number* tau, int* info) {
  return solver_call(handle, valid_q(m, n, k, lda), [&] {
    const Error error = clear(handle->stream, info, sizeof(int));
    if (error != Error::success) return error;
    return form_q(handle->stream, m, n, k, column_major(a, lda), column_major(tau, 1), 1);
  });
}

bool valid_product(SideMode side, Operation operation, int m, int n, int k, int lda, int ldc) {
  const int order = side == SideMode::left ? m : n;
  return (side == SideMode::left || side == SideMode::right) &&
         (operation == Operation::none || operation == Operation::transpose ||
          operation == Operation::conjugate_transpose) &&
         valid_matrix(m, n, ldc) && k >= 0 && k <= order && lda >= std::max(1, order);
}

template <class Number>
SolverStatus multiply_by_q_of(SolverHandle* handle, SideMode side, Operation operation, int m, int n, int k,
                              const Number* a, int lda, const Number* tau, Number* c, int ldc, int* info) {
  // Q^T of complex numbers is no product of these reflectors.
  const bool valid = valid_product(side, operation, m, n, k, lda, ldc) &&
                     !(is_complex_number<Number> && operation == Operation::transpose);
  return solver_call(handle, valid, [&] {
    const Error error = clear(handle->stream, info, sizeof(int));
    if (error != Error::success) return error;
    return multiply_by_q(handle->stream, side, operation, m, n, k, column_major(a, lda), column_major(tau, 1),
                         column_major(c, ldc), 1);
  });
}

}  // namespace

extern "C" {

SolverStatus cusolverDnSgeqrf_bufferSize(SolverHandle* handle, int m, int n, float*, int lda, int* size) {
  return report_size(handle, valid_matrix(m, n, lda), n, size);
}
SolverStatus cusolverDnDgeqrf_bufferSize(SolverHandle* handle, int m, int n, double*, int lda, int* size) {
  return report_size(handle, valid_matrix(m, n, lda), n, size);
}
SolverStatus cusolverDnCgeqrf_bufferSize(SolverHandle* handle, int m, int n, std::complex<float>*, int lda, int* size) {
  return report_size(handle, valid_matrix(m, n, lda), n, size);
}
SolverStatus cusolverDnZgeqrf_bufferSize(SolverHandle* handle, int m, int n, std::complex<double>*, int lda,
                                         int* size) {
  return report_size(handle, valid_matrix(m, n, lda), n, size);
}

SolverStatus cusolverDnSgeqrf(SolverHandle* handle, int m, int n, float* a, int lda, float* tau, float*, int,
                              int* info) {
  return factor_qr_of(handle, m, n, a, lda, tau, info);
}
SolverStatus cusolverDnDgeqrf(SolverHandle* handle, int m, int n, double* a, int lda, double* tau, double*, int,
                              int* info) {
  return factor_qr_of(handle, m, n, a, lda, tau, info);
}
SolverStatus cusolverDnCgeqrf(SolverHandle* handle, int m, int n, std::complex<float>* a, int lda,
                              std::complex<float>* tau, std::complex<float>*, int, int* info) {
  return factor_qr_of(handle, m, n, a, lda, tau, info);
}
SolverStatus cusolverDnZgeqrf(SolverHandle* handle, int m, int n, std::complex<double>* a, int lda,
                              std::complex<double>* tau, std::complex<double>*, int, int* info) {
  return factor_qr_of(handle, m, n, a, lda, tau, info);
}

SolverStatus cusolverDnSorgqr_bufferSize(SolverHandle* handle, int m, int n, int k, const float*, int lda, const float*,
                                         int* size) {
  return report_size(handle, valid_q(m, n, k, lda), n, size);
}
SolverStatus cusolverDnDorgqr_bufferSize(SolverHandle* handle, int m, int n, int k, const double*, int lda,
                                         const double*, int* size) {
  return report_size(handle, valid_q(m, n, k, lda), n, size);
}
SolverStatus cusolverDnCungqr_bufferSize(SolverHandle* handle, int m, int n, int k, const std::complex<float>*, int lda,
                                         const std::complex<float>*, int* size) {
  return report_size(handle, valid_q(m, n, k, lda), n, size);
}
SolverStatus cusolverDnZungqr_bufferSize(SolverHandle* handle, int m, int n, int k, const std::complex<double>*,
                                         int lda, const std::complex<double>*, int* size) {
  return report_size(handle, valid_q(m, n, k, lda), n, size);
}

SolverStatus cusolverDnSorgqr(SolverHandle* handle, int m, int n, int k, float* a, int lda, const float* tau, float*,
                              int, int* info) {
  return form_q_of(handle, m, n, k, a, lda, tau, info);
}
SolverStatus cusolverDnDorgqr(SolverHandle* handle, int m, int n, int k, double* a, int lda, const double* tau, double*,
                              int, int* info) {
  return form_q_of(handle, m, n, k, a, lda, tau, info);
}
SolverStatus cusolverDnCungqr(SolverHandle* handle, int m, int n, int k, std::complex<float>* a, int lda,
                              const std::complex<float>* tau, std::complex<float>*, int, int* info) {
  return form_q_of(handle, m, n, k, a, lda, tau, info);
}
SolverStatus cusolverDnZungqr(SolverHandle* handle, int m, int n, int k, std::complex<double>* a, int lda,
                              const std::complex<double>* tau, std::complex<double>*, int, int* info) {
  return form_q_of(handle, m, n, k, a, lda, tau, info);
}

SolverStatus cusolverDnSormqr_bufferSize(SolverHandle* handle, SideMode side, Operation operation, int m, int n, int k,
                                         const float*, int lda, const float*, const float*, int ldc, int* size) {
  return report_size(handle, valid_product(side, operation, m, n, k, lda, ldc), std::max(m, n), size);
}
SolverStatus cusolverDnDormqr_bufferSize(SolverHandle* handle, SideMode side, Operation operation, int m, int n, int k,
                                         const double*, int lda, const double*, const double*, int ldc, int* size) {
  return report_size(handle, valid_product(side, operation, m, n, k, lda, ldc), std::max(m, n), size);
}
SolverStatus cusolverDnCunmqr_bufferSize(SolverHandle* handle, SideMode side, Operation operation, int m, int n, int k,
                                         const std::complex<float>*, int lda, const std::complex<float>*,
                                         const std::complex<float>*, int ldc, int* size) {
  return report_size(handle, valid_product(side, operation, m, n, k, lda, ldc), std::max(m, n), size);
}
SolverStatus cusolverDnZunmqr_bufferSize(SolverHandle* handle, SideMode side, Operation operation, int m, int n, int k,
                                         const std::complex<double>*, int lda, const std::complex<double>*,
                                         const std::complex<double>*, int ldc, int* size) {
  return report_size(handle, valid_product(side, operation, m, n, k, lda, ldc), std::max(m, n), size);
}

SolverStatus cusolverDnSormqr(SolverHandle* handle, SideMode side, Operation operation, int m, int n, int k,
                              const float* a, int lda, const float* tau, float* c, int ldc, float*, int, int* info) {
  return multiply_by_q_of(handle, side, operation, m, n, k, a, lda, tau, c, ldc, info);
}
SolverStatus cusolverDnDormqr(SolverHandle* handle, SideMode side, Operation operation, int m, int n, int k,
                              const double* a, int lda, const double* tau, double* c, int ldc, double*, int,
                              int* info) {
  return multiply_by_q_of(handle, side, operation, m, n, k, a, lda, tau, c, ldc, info);
}
SolverStatus cusolverDnCunmqr(SolverHandle* handle, SideMode side, Operation operation, int m, int n, int k,
                              const std::complex<float>* a, int lda, const std::complex<float>* tau,
                              std::complex<float>* c, int ldc, std::complex<float>*, int, int* info) {
  return multiply_by_q_of(handle, side, operation, m, n, k, a, lda, tau, c, ldc, info);
}
SolverStatus cusolverDnZunmqr(SolverHandle* handle, SideMode side, Operation operation, int m, int n, int k,
                              const std::complex<double>* a, int lda, const std::complex<double>* tau,
                              std::complex<double>* c, int ldc, std::complex<double>*, int, int* info) {
  return multiply_by_q_of(handle, side, operation, m, n, k, a, lda, tau, c, ldc, info);
}

SolverStatus cusolverDnXgeqrf_bufferSize(SolverHandle* handle, SolverParams*, std::int64_t m, std::int64_t n,
                                         DataType type, const void*, std::int64_t lda, DataType, const void*, DataType,
                                         std::size_t* on_device, std::size_t* on_host) {
  const bool valid = fits_int(m) && fits_int(n) && fits_int(lda) &&
                     valid_matrix(static_cast<int>(m), static_cast<int>(n), static_cast<int>(lda));
  if (on_host != nullptr) *on_host = 0;
  return with_type(type, [&](auto number) {
    return report_size(handle, valid && on_host != nullptr, n * static_cast<std::int64_t>(sizeof number), on_device);
  });
}

SolverStatus cusolverDnXgeqrf(SolverHandle* handle, SolverParams*, std::int64_t m, std::int64_t n, DataType type,
                              void* a, std::int64_t lda, DataType tau_type, void* tau, DataType, void*, std::size_t,
                              void*, std::size_t, int* info) {
  if (!fits_int(m) || !fits_int(n) || !fits_int(lda) || type != tau_type) return SolverStatus::invalid_value;
  return with_type(type, [&](auto number) {
    using Number = decltype(number);
    return factor_qr_of(handle, static_cast<int>(m), static_cast<int>(n), static_cast<Number*>(a),
                        static_cast<int>(lda), static_cast<Number*>(tau), info);
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
