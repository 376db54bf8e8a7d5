// gesvdaStridedBatched.
#include <vector>

#include "instrumentation/simulated/engine/gpu.h"
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cusolver/svd.h"
#include "instrumentation/simulated/libraries/cusolver/with_type.h"

namespace warpwalk::simulated::libraries {
namespace {

/// The workspace, and after it a residual of 8 bytes per matrix: at most 2 numbers each, and 2 more for the alignment.
std::int64_t strided_workspace(std::int64_t m, std::int64_t n, std::int64_t batch) {
  constexpr std::int64_t per_residual = 2;
  return svd_workspace(m, n, batch) + per_residual * (batch + 1);
}

/// A matrix that lies every `stride` elements.
template <class Number>
struct Strided {
  Number* first;
  int leading;
  long long stride;
};

template <class Number>
SolverStatus strided_values(SolverHandle* handle, EigenMode mode, int rank, int m, int n,
                            const Strided<const Number>& a, Real<Number>* values, long long values_stride,
                            const Strided<Number>& u, const Strided<Number>& v, Number* workspace, int size, int* infos,
                            double* host_residuals, int batch) {
  const bool vectors = mode == EigenMode::vectors;
  const bool valid = m >= 0 && n >= 0 && rank >= 0 && rank <= std::min(m, n) && batch >= 0 &&
                     a.leading >= std::max(1, m) &&
                     (!vectors || (u.leading >= std::max(1, m) && v.leading >= std::max(1, n))) &&
                     size >= strided_workspace(m, n, batch);
  return solver_call(handle, valid, [&] {
    SingularValues<Number> wanted;
    wanted.kept = rank;
    wanted.values = values;
    wanted.values_stride = values_stride;
    if (vectors) {
      wanted.u = column_major(u.first, u.leading, u.stride);
      wanted.v = column_major(v.first, v.leading, v.stride);
      wanted.u_columns = wanted.v_columns = rank;
    }
    wanted.infos = infos;
    // Residuals come back to the host, which waits for them.
    const auto end = reinterpret_cast<std::uintptr_t>(workspace + svd_workspace(m, n, batch));
    if (host_residuals != nullptr)
      wanted.residuals = reinterpret_cast<double*>((end + sizeof(double) - 1) / sizeof(double) * sizeof(double));
    const Error error = find_singular_values(handle->stream, m, n, column_major(a.first, a.leading, a.stride), wanted,
                                             workspace, nullptr, batch);
    if (error != Error::success || host_residuals == nullptr || batch == 0) return error;
    return copy_to_host(handle->stream, host_residuals, wanted.residuals,
                        sizeof(double) * static_cast<std::size_t>(batch));
  });
}

}  // namespace

extern "C" {

SolverStatus cusolverDnSgesvdaStridedBatched_bufferSize(SolverHandle* handle, EigenMode, int rank, int m, int n,
                                                        const float*, int lda, long long, const float*, long long,
                                                        const float*, int, long long, const float*, int, long long,
                                                        int* size, int batch) {
  const std::int64_t numbers = strided_workspace(m, n, batch);
  return report_size(
      handle, m >= 0 && n >= 0 && rank >= 0 && rank <= std::min(m, n) && lda >= std::max(1, m) && fits_int(numbers),
      numbers, size);
}
SolverStatus cusolverDnDgesvdaStridedBatched_bufferSize(SolverHandle* handle, EigenMode, int rank, int m, int n,
                                                        const double*, int lda, long long, const double*, long long,
                                                        const double*, int, long long, const double*, int, long long,
                                                        int* size, int batch) {
  const std::int64_t numbers = strided_workspace(m, n, batch);
  return report_size(
      handle, m >= 0 && n >= 0 && rank >= 0 && rank <= std::min(m, n) && lda >= std::max(1, m) && fits_int(numbers),
      numbers, size);
}
SolverStatus cusolverDnCgesvdaStridedBatched_bufferSize(SolverHandle* handle, EigenMode, int rank, int m, int n,
                                                        const std::complex<float>*, int lda, long long, const float*,
                                                        long long, const std::complex<float>*, int, long long,
                                                        const std::complex<float>*, int, long long, int* size,
                                                        int batch) {
  const std::int64_t numbers = strided_workspace(m, n, batch);
  return report_size(
      handle, m >= 0 && n >= 0 && rank >= 0 && rank <= std::min(m, n) && lda >= std::max(1, m) && fits_int(numbers),
      numbers, size);
}
SolverStatus cusolverDnZgesvdaStridedBatched_bufferSize(SolverHandle* handle, EigenMode, int rank, int m, int n,
                                                        const std::complex<double>*, int lda, long long, const double*,
                                                        long long, const std::complex<double>*, int, long long,
                                                        const std::complex<double>*, int, long long, int* size,
                                                        int batch) {
  const std::int64_t numbers = strided_workspace(m, n, batch);
  return report_size(
      handle, m >= 0 && n >= 0 && rank >= 0 && rank <= std::min(m, n) && lda >= std::max(1, m) && fits_int(numbers),
      numbers, size);
}

SolverStatus cusolverDnSgesvdaStridedBatched(SolverHandle* handle, EigenMode mode, int rank, int m, int n,
                                             const float* a, int lda, long long a_stride, float* values,
                                             long long values_stride, float* u, int ldu, long long u_stride, float* v,
                                             int ldv, long long v_stride, float* workspace, int size, int* infos,
                                             double* residuals, int batch) {
  return strided_values<float>(handle, mode, rank, m, n, {a, lda, a_stride}, values, values_stride, {u, ldu, u_stride},
                               {v, ldv, v_stride}, workspace, size, infos, residuals, batch);
}
SolverStatus cusolverDnDgesvdaStridedBatched(SolverHandle* handle, EigenMode mode, int rank, int m, int n,
                                             const double* a, int lda, long long a_stride, double* values,
                                             long long values_stride, double* u, int ldu, long long u_stride, double* v,
                                             int ldv, long long v_stride, double* workspace, int size, int* infos,
                                             double* residuals, int batch) {
  return strided_values<double>(handle, mode, rank, m, n, {a, lda, a_stride}, values, values_stride, {u, ldu, u_stride},
                                {v, ldv, v_stride}, workspace, size, infos, residuals, batch);
}
SolverStatus cusolverDnCgesvdaStridedBatched(SolverHandle* handle, EigenMode mode, int rank, int m, int n,
                                             const std::complex<float>* a, int lda, long long a_stride, float* values,
                                             long long values_stride, std::complex<float>* u, int ldu,
                                             long long u_stride, std::complex<float>* v, int ldv, long long v_stride,
                                             std::complex<float>* workspace, int size, int* infos, double* residuals,
                                             int batch) {
  return strided_values<std::complex<float>>(handle, mode, rank, m, n, {a, lda, a_stride}, values, values_stride,
                                             {u, ldu, u_stride}, {v, ldv, v_stride}, workspace, size, infos, residuals,
                                             batch);
}
SolverStatus cusolverDnZgesvdaStridedBatched(SolverHandle* handle, EigenMode mode, int rank, int m, int n,
                                             const std::complex<double>* a, int lda, long long a_stride, double* values,
                                             long long values_stride, std::complex<double>* u, int ldu,
                                             long long u_stride, std::complex<double>* v, int ldv, long long v_stride,
                                             std::complex<double>* workspace, int size, int* infos, double* residuals,
                                             int batch) {
  return strided_values<std::complex<double>>(handle, mode, rank, m, n, {a, lda, a_stride}, values, values_stride,
                                              {u, ldu, u_stride}, {v, ldv, v_stride}, workspace, size, infos, residuals,
                                              batch);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
