// gesvd, gesvdj, gesvdjBatched.
#include "instrumentation/simulated/libraries/cusolver/svd.h"

#include "instrumentation/simulated/libraries/cusolver/with_type.h"

namespace warpwalk::simulated::libraries {
namespace {

SolverStatus svd_size(SolverHandle* handle, bool valid, int m, int n, int batch, int* size) {
  const std::int64_t numbers = svd_workspace(m, n, batch);
  return report_size(handle, valid && m >= 0 && n >= 0 && batch >= 0 && fits_int(numbers), numbers, size);
}

/// gesvd, with LAPACK's jobs: A all vectors, S the first ones, O these in place of A, N none.
template <class Number>
SolverStatus singular_values(SolverHandle* handle, char job_u, char job_v, int m, int n, Number* a, int lda,
                             Real<Number>* values, Number* u, int ldu, Number* vt, int ldvt, Number* workspace,
                             int size, int* info) {
  const auto stored = [](char job) { return job == 'A' || job == 'S'; };
  const auto known = [&](char job) { return stored(job) || job == 'O' || job == 'N'; };
  const bool valid = known(job_u) && known(job_v) && !(job_u == 'O' && job_v == 'O') && n >= 0 && m >= n &&
                     lda >= std::max(1, m) && (!stored(job_u) || ldu >= std::max(1, m)) &&
                     (!stored(job_v) || ldvt >= std::max(1, n)) && size >= svd_workspace(m, n, 1);
  return solver_call(handle, valid, [&] {
    SingularValues<Number> wanted;
    wanted.kept = n;
    wanted.values = values;
    wanted.u = job_u == 'O' ? column_major(a, lda) : column_major(u, ldu);
    wanted.v = job_v == 'O' ? column_major(a, lda) : column_major(vt, ldvt);
    wanted.u_columns = job_u == 'N' ? 0 : job_u == 'A' ? m : n;
    wanted.v_columns = job_v == 'N' ? 0 : n;
    wanted.v_adjoint = true;
    wanted.infos = info;
    return find_singular_values(handle->stream, m, n, column_major(a, lda).read_only(), wanted, workspace, nullptr, 1);
  });
}

/// gesvdj and gesvdjBatched. `economy`: only the first min(m, n) vectors.
template <class Number>
SolverStatus jacobi_values(SolverHandle* handle, EigenMode mode, bool economy, int m, int n, const Number* a, int lda,
                           Real<Number>* values, Number* u, int ldu, Number* v, int ldv, Number* workspace, int size,
                           int* infos, const JacobiSettings* settings, int batch) {
  const bool vectors = mode == EigenMode::vectors;
  const bool valid = m >= 0 && n >= 0 && lda >= std::max(1, m) && settings != nullptr && batch >= 0 &&
                     (!vectors || (ldu >= std::max(1, m) && ldv >= std::max(1, n))) &&
                     size >= svd_workspace(m, n, batch);
  return solver_call(handle, valid, [&] {
    const int shorter = std::min(m, n);
    SingularValues<Number> wanted;
    wanted.kept = shorter;
    wanted.values = values;
    wanted.values_stride = shorter;
    if (vectors) {
      wanted.u_columns = economy ? shorter : m;
      wanted.v_columns = economy ? shorter : n;
      wanted.u = column_major(u, ldu, static_cast<long long>(ldu) * wanted.u_columns);
      wanted.v = column_major(v, ldv, static_cast<long long>(ldv) * wanted.v_columns);
    }
    wanted.infos = infos;
    return find_singular_values(handle->stream, m, n, column_major(a, lda, static_cast<long long>(lda) * n), wanted,
                                workspace, settings, batch);
  });
}

}  // namespace

extern "C" {

SolverStatus cusolverDnSgesvd_bufferSize(SolverHandle* handle, int m, int n, int* size) {
  return svd_size(handle, m >= n, m, n, 1, size);
}
SolverStatus cusolverDnDgesvd_bufferSize(SolverHandle* handle, int m, int n, int* size) {
  return svd_size(handle, m >= n, m, n, 1, size);
}
SolverStatus cusolverDnCgesvd_bufferSize(SolverHandle* handle, int m, int n, int* size) {
  return svd_size(handle, m >= n, m, n, 1, size);
}
SolverStatus cusolverDnZgesvd_bufferSize(SolverHandle* handle, int m, int n, int* size) {
  return svd_size(handle, m >= n, m, n, 1, size);
}

SolverStatus cusolverDnSgesvd(SolverHandle* handle, signed char job_u, signed char job_v, int m, int n, float* a,
                              int lda, float* values, float* u, int ldu, float* vt, int ldvt, float* workspace,
                              int size, float*, int* info) {
  return singular_values(handle, static_cast<char>(job_u), static_cast<char>(job_v), m, n, a, lda, values, u, ldu, vt,
                         ldvt, workspace, size, info);
}
SolverStatus cusolverDnDgesvd(SolverHandle* handle, signed char job_u, signed char job_v, int m, int n, double* a,
                              int lda, double* values, double* u, int ldu, double* vt, int ldvt, double* workspace,
                              int size, double*, int* info) {
  return singular_values(handle, static_cast<char>(job_u), static_cast<char>(job_v), m, n, a, lda, values, u, ldu, vt,
                         ldvt, workspace, size, info);
}
SolverStatus cusolverDnCgesvd(SolverHandle* handle, signed char job_u, signed char job_v, int m, int n,
                              std::complex<float>* a, int lda, float* values, std::complex<float>* u, int ldu,
                              std::complex<float>* vt, int ldvt, std::complex<float>* workspace, int size, float*,
                              int* info) {
  return singular_values(handle, static_cast<char>(job_u), static_cast<char>(job_v), m, n, a, lda, values, u, ldu, vt,
                         ldvt, workspace, size, info);
}
SolverStatus cusolverDnZgesvd(SolverHandle* handle, signed char job_u, signed char job_v, int m, int n,
                              std::complex<double>* a, int lda, double* values, std::complex<double>* u, int ldu,
                              std::complex<double>* vt, int ldvt, std::complex<double>* workspace, int size, double*,
                              int* info) {
  return singular_values(handle, static_cast<char>(job_u), static_cast<char>(job_v), m, n, a, lda, values, u, ldu, vt,
                         ldvt, workspace, size, info);
}

SolverStatus cusolverDnSgesvdj_bufferSize(SolverHandle* handle, EigenMode, int, int m, int n, const float*, int lda,
                                          const float*, const float*, int, const float*, int, int* size,
                                          const JacobiSettings*) {
  return svd_size(handle, lda >= std::max(1, m), m, n, 1, size);
}
SolverStatus cusolverDnDgesvdj_bufferSize(SolverHandle* handle, EigenMode, int, int m, int n, const double*, int lda,
                                          const double*, const double*, int, const double*, int, int* size,
                                          const JacobiSettings*) {
  return svd_size(handle, lda >= std::max(1, m), m, n, 1, size);
}
SolverStatus cusolverDnCgesvdj_bufferSize(SolverHandle* handle, EigenMode, int, int m, int n,
                                          const std::complex<float>*, int lda, const float*, const std::complex<float>*,
                                          int, const std::complex<float>*, int, int* size, const JacobiSettings*) {
  return svd_size(handle, lda >= std::max(1, m), m, n, 1, size);
}
SolverStatus cusolverDnZgesvdj_bufferSize(SolverHandle* handle, EigenMode, int, int m, int n,
                                          const std::complex<double>*, int lda, const double*,
                                          const std::complex<double>*, int, const std::complex<double>*, int, int* size,
                                          const JacobiSettings*) {
  return svd_size(handle, lda >= std::max(1, m), m, n, 1, size);
}

SolverStatus cusolverDnSgesvdj(SolverHandle* handle, EigenMode mode, int economy, int m, int n, float* a, int lda,
                               float* values, float* u, int ldu, float* v, int ldv, float* workspace, int size,
                               int* info, const JacobiSettings* settings) {
  return jacobi_values(handle, mode, economy != 0, m, n, a, lda, values, u, ldu, v, ldv, workspace, size, info,
                       settings, 1);
}
SolverStatus cusolverDnDgesvdj(SolverHandle* handle, EigenMode mode, int economy, int m, int n, double* a, int lda,
                               double* values, double* u, int ldu, double* v, int ldv, double* workspace, int size,
                               int* info, const JacobiSettings* settings) {
  return jacobi_values(handle, mode, economy != 0, m, n, a, lda, values, u, ldu, v, ldv, workspace, size, info,
                       settings, 1);
}
SolverStatus cusolverDnCgesvdj(SolverHandle* handle, EigenMode mode, int economy, int m, int n, std::complex<float>* a,
                               int lda, float* values, std::complex<float>* u, int ldu, std::complex<float>* v, int ldv,
                               std::complex<float>* workspace, int size, int* info, const JacobiSettings* settings) {
  return jacobi_values(handle, mode, economy != 0, m, n, a, lda, values, u, ldu, v, ldv, workspace, size, info,
                       settings, 1);
}
SolverStatus cusolverDnZgesvdj(SolverHandle* handle, EigenMode mode, int economy, int m, int n, std::complex<double>* a,
                               int lda, double* values, std::complex<double>* u, int ldu, std::complex<double>* v,
                               int ldv, std::complex<double>* workspace, int size, int* info,
                               const JacobiSettings* settings) {
  return jacobi_values(handle, mode, economy != 0, m, n, a, lda, values, u, ldu, v, ldv, workspace, size, info,
                       settings, 1);
}

SolverStatus cusolverDnSgesvdjBatched_bufferSize(SolverHandle* handle, EigenMode, int m, int n, const float*, int lda,
                                                 const float*, const float*, int, const float*, int, int* size,
                                                 const JacobiSettings*, int batch) {
  return svd_size(handle, lda >= std::max(1, m), m, n, batch, size);
}
SolverStatus cusolverDnDgesvdjBatched_bufferSize(SolverHandle* handle, EigenMode, int m, int n, const double*, int lda,
                                                 const double*, const double*, int, const double*, int, int* size,
                                                 const JacobiSettings*, int batch) {
  return svd_size(handle, lda >= std::max(1, m), m, n, batch, size);
}
SolverStatus cusolverDnCgesvdjBatched_bufferSize(SolverHandle* handle, EigenMode, int m, int n,
                                                 const std::complex<float>*, int lda, const float*,
                                                 const std::complex<float>*, int, const std::complex<float>*, int,
                                                 int* size, const JacobiSettings*, int batch) {
  return svd_size(handle, lda >= std::max(1, m), m, n, batch, size);
}
SolverStatus cusolverDnZgesvdjBatched_bufferSize(SolverHandle* handle, EigenMode, int m, int n,
                                                 const std::complex<double>*, int lda, const double*,
                                                 const std::complex<double>*, int, const std::complex<double>*, int,
                                                 int* size, const JacobiSettings*, int batch) {
  return svd_size(handle, lda >= std::max(1, m), m, n, batch, size);
}

SolverStatus cusolverDnSgesvdjBatched(SolverHandle* handle, EigenMode mode, int m, int n, float* a, int lda,
                                      float* values, float* u, int ldu, float* v, int ldv, float* workspace, int size,
                                      int* infos, const JacobiSettings* settings, int batch) {
  return jacobi_values(handle, mode, false, m, n, a, lda, values, u, ldu, v, ldv, workspace, size, infos, settings,
                       batch);
}
SolverStatus cusolverDnDgesvdjBatched(SolverHandle* handle, EigenMode mode, int m, int n, double* a, int lda,
                                      double* values, double* u, int ldu, double* v, int ldv, double* workspace,
                                      int size, int* infos, const JacobiSettings* settings, int batch) {
  return jacobi_values(handle, mode, false, m, n, a, lda, values, u, ldu, v, ldv, workspace, size, infos, settings,
                       batch);
}
SolverStatus cusolverDnCgesvdjBatched(SolverHandle* handle, EigenMode mode, int m, int n, std::complex<float>* a,
                                      int lda, float* values, std::complex<float>* u, int ldu, std::complex<float>* v,
                                      int ldv, std::complex<float>* workspace, int size, int* infos,
                                      const JacobiSettings* settings, int batch) {
  return jacobi_values(handle, mode, false, m, n, a, lda, values, u, ldu, v, ldv, workspace, size, infos, settings,
                       batch);
}
SolverStatus cusolverDnZgesvdjBatched(SolverHandle* handle, EigenMode mode, int m, int n, std::complex<double>* a,
                                      int lda, double* values, std::complex<double>* u, int ldu,
                                      std::complex<double>* v, int ldv, std::complex<double>* workspace, int size,
                                      int* infos, const JacobiSettings* settings, int batch) {
  return jacobi_values(handle, mode, false, m, n, a, lda, values, u, ldu, v, ldv, workspace, size, infos, settings,
                       batch);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
