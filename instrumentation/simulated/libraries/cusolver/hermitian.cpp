// syevd, syevj, syevjBatched, heevd, heevj, heevjBatched, Xsyevd, XsyevBatched.
#include "instrumentation/simulated/libraries/cusolver/hermitian.h"

#include "instrumentation/simulated/libraries/cusolver/abi.h"
#include "instrumentation/simulated/libraries/cusolver/with_type.h"

namespace warpwalk::simulated::libraries {
namespace {

bool valid_hermitian(EigenMode mode, FillMode fill, std::int64_t n, std::int64_t lda, std::int64_t batch) {
  return (mode == EigenMode::values || mode == EigenMode::vectors) &&
         (fill == FillMode::lower || fill == FillMode::upper) && fits_int(n) && fits_int(lda) &&
         lda >= std::max<std::int64_t>(1, n) && fits_int(batch);
}

SolverStatus hermitian_size(SolverHandle* handle, EigenMode mode, FillMode fill, int n, int lda, int batch, int* size) {
  const bool valid = valid_hermitian(mode, fill, n, lda, batch) && fits_int(hermitian_workspace(n, batch));
  return report_size(handle, valid, hermitian_workspace(n, batch), size);
}

template <class Number>
SolverStatus hermitian_values(SolverHandle* handle, EigenMode mode, FillMode fill, std::int64_t n, Number* a,
                              std::int64_t lda, Real<Number>* values, Number* workspace, std::int64_t size, int* infos,
                              std::int64_t batch) {
  const bool valid = valid_hermitian(mode, fill, n, lda, batch) && size >= hermitian_workspace(n, batch);
  return solver_call(handle, valid, [&] {
    return decompose_hermitian(handle->stream, mode == EigenMode::vectors, fill, static_cast<int>(n),
                               column_major(a, static_cast<int>(lda), lda * n), values, workspace, infos,
                               static_cast<int>(batch));
  });
}

SolverStatus hermitian_bytes(SolverHandle* handle, EigenMode mode, FillMode fill, std::int64_t n, DataType type,
                             std::int64_t lda, DataType value_type, std::size_t* on_device, std::size_t* on_host,
                             std::int64_t batch) {
  const bool valid = valid_hermitian(mode, fill, n, lda, batch) && value_type == real_type(type) && on_host != nullptr;
  if (on_host != nullptr) *on_host = 0;
  return with_type(type, [&](auto number) {
    return report_size(handle, valid, hermitian_workspace(n, batch) * static_cast<std::int64_t>(sizeof number),
                       on_device);
  });
}

SolverStatus hermitian_values_of_type(SolverHandle* handle, EigenMode mode, FillMode fill, std::int64_t n,
                                      DataType type, void* a, std::int64_t lda, DataType value_type, void* values,
                                      void* workspace, std::size_t bytes, int* infos, std::int64_t batch) {
  if (value_type != real_type(type)) return SolverStatus::invalid_value;
  return with_type(type, [&](auto number) {
    using Number = decltype(number);
    return hermitian_values(handle, mode, fill, n, static_cast<Number*>(a), lda, static_cast<Real<Number>*>(values),
                            static_cast<Number*>(workspace), static_cast<std::int64_t>(bytes / sizeof(Number)), infos,
                            batch);
  });
}

}  // namespace

extern "C" {

SolverStatus cusolverDnSsyevd_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n, const float*,
                                         int lda, const float*, int* size) {
  return hermitian_size(handle, mode, fill, n, lda, 1, size);
}
SolverStatus cusolverDnDsyevd_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n, const double*,
                                         int lda, const double*, int* size) {
  return hermitian_size(handle, mode, fill, n, lda, 1, size);
}
SolverStatus cusolverDnCheevd_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n,
                                         const std::complex<float>*, int lda, const float*, int* size) {
  return hermitian_size(handle, mode, fill, n, lda, 1, size);
}
SolverStatus cusolverDnZheevd_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n,
                                         const std::complex<double>*, int lda, const double*, int* size) {
  return hermitian_size(handle, mode, fill, n, lda, 1, size);
}

SolverStatus cusolverDnSsyevd(SolverHandle* handle, EigenMode mode, FillMode fill, int n, float* a, int lda,
                              float* values, float* workspace, int size, int* info) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, info, 1);
}
SolverStatus cusolverDnDsyevd(SolverHandle* handle, EigenMode mode, FillMode fill, int n, double* a, int lda,
                              double* values, double* workspace, int size, int* info) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, info, 1);
}
SolverStatus cusolverDnCheevd(SolverHandle* handle, EigenMode mode, FillMode fill, int n, std::complex<float>* a,
                              int lda, float* values, std::complex<float>* workspace, int size, int* info) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, info, 1);
}
SolverStatus cusolverDnZheevd(SolverHandle* handle, EigenMode mode, FillMode fill, int n, std::complex<double>* a,
                              int lda, double* values, std::complex<double>* workspace, int size, int* info) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, info, 1);
}

SolverStatus cusolverDnSsyevj_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n, const float*,
                                         int lda, const float*, int* size, const JacobiSettings*) {
  return hermitian_size(handle, mode, fill, n, lda, 1, size);
}
SolverStatus cusolverDnDsyevj_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n, const double*,
                                         int lda, const double*, int* size, const JacobiSettings*) {
  return hermitian_size(handle, mode, fill, n, lda, 1, size);
}
SolverStatus cusolverDnCheevj_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n,
                                         const std::complex<float>*, int lda, const float*, int* size,
                                         const JacobiSettings*) {
  return hermitian_size(handle, mode, fill, n, lda, 1, size);
}
SolverStatus cusolverDnZheevj_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n,
                                         const std::complex<double>*, int lda, const double*, int* size,
                                         const JacobiSettings*) {
  return hermitian_size(handle, mode, fill, n, lda, 1, size);
}

SolverStatus cusolverDnSsyevj(SolverHandle* handle, EigenMode mode, FillMode fill, int n, float* a, int lda,
                              float* values, float* workspace, int size, int* info, const JacobiSettings*) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, info, 1);
}
SolverStatus cusolverDnDsyevj(SolverHandle* handle, EigenMode mode, FillMode fill, int n, double* a, int lda,
                              double* values, double* workspace, int size, int* info, const JacobiSettings*) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, info, 1);
}
SolverStatus cusolverDnCheevj(SolverHandle* handle, EigenMode mode, FillMode fill, int n, std::complex<float>* a,
                              int lda, float* values, std::complex<float>* workspace, int size, int* info,
                              const JacobiSettings*) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, info, 1);
}
SolverStatus cusolverDnZheevj(SolverHandle* handle, EigenMode mode, FillMode fill, int n, std::complex<double>* a,
                              int lda, double* values, std::complex<double>* workspace, int size, int* info,
                              const JacobiSettings*) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, info, 1);
}

SolverStatus cusolverDnSsyevjBatched_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n,
                                                const float*, int lda, const float*, int* size, const JacobiSettings*,
                                                int batch) {
  return hermitian_size(handle, mode, fill, n, lda, batch, size);
}
SolverStatus cusolverDnDsyevjBatched_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n,
                                                const double*, int lda, const double*, int* size, const JacobiSettings*,
                                                int batch) {
  return hermitian_size(handle, mode, fill, n, lda, batch, size);
}
SolverStatus cusolverDnCheevjBatched_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n,
                                                const std::complex<float>*, int lda, const float*, int* size,
                                                const JacobiSettings*, int batch) {
  return hermitian_size(handle, mode, fill, n, lda, batch, size);
}
SolverStatus cusolverDnZheevjBatched_bufferSize(SolverHandle* handle, EigenMode mode, FillMode fill, int n,
                                                const std::complex<double>*, int lda, const double*, int* size,
                                                const JacobiSettings*, int batch) {
  return hermitian_size(handle, mode, fill, n, lda, batch, size);
}

SolverStatus cusolverDnSsyevjBatched(SolverHandle* handle, EigenMode mode, FillMode fill, int n, float* a, int lda,
                                     float* values, float* workspace, int size, int* infos, const JacobiSettings*,
                                     int batch) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, infos, batch);
}
SolverStatus cusolverDnDsyevjBatched(SolverHandle* handle, EigenMode mode, FillMode fill, int n, double* a, int lda,
                                     double* values, double* workspace, int size, int* infos, const JacobiSettings*,
                                     int batch) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, infos, batch);
}
SolverStatus cusolverDnCheevjBatched(SolverHandle* handle, EigenMode mode, FillMode fill, int n, std::complex<float>* a,
                                     int lda, float* values, std::complex<float>* workspace, int size, int* infos,
                                     const JacobiSettings*, int batch) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, infos, batch);
}
SolverStatus cusolverDnZheevjBatched(SolverHandle* handle, EigenMode mode, FillMode fill, int n,
                                     std::complex<double>* a, int lda, double* values, std::complex<double>* workspace,
                                     int size, int* infos, const JacobiSettings*, int batch) {
  return hermitian_values(handle, mode, fill, n, a, lda, values, workspace, size, infos, batch);
}

SolverStatus cusolverDnXsyevd_bufferSize(SolverHandle* handle, SolverParams*, EigenMode mode, FillMode fill,
                                         std::int64_t n, DataType type, const void*, std::int64_t lda,
                                         DataType value_type, const void*, DataType, std::size_t* on_device,
                                         std::size_t* on_host) {
  return hermitian_bytes(handle, mode, fill, n, type, lda, value_type, on_device, on_host, 1);
}

SolverStatus cusolverDnXsyevd(SolverHandle* handle, SolverParams*, EigenMode mode, FillMode fill, std::int64_t n,
                              DataType type, void* a, std::int64_t lda, DataType value_type, void* values, DataType,
                              void* workspace, std::size_t bytes, void*, std::size_t, int* info) {
  return hermitian_values_of_type(handle, mode, fill, n, type, a, lda, value_type, values, workspace, bytes, info, 1);
}

SolverStatus cusolverDnXsyevBatched_bufferSize(SolverHandle* handle, SolverParams*, EigenMode mode, FillMode fill,
                                               std::int64_t n, DataType type, const void*, std::int64_t lda,
                                               DataType value_type, const void*, DataType, std::size_t* on_device,
                                               std::size_t* on_host, std::int64_t batch) {
  return hermitian_bytes(handle, mode, fill, n, type, lda, value_type, on_device, on_host, batch);
}

SolverStatus cusolverDnXsyevBatched(SolverHandle* handle, SolverParams*, EigenMode mode, FillMode fill, std::int64_t n,
                                    DataType type, void* a, std::int64_t lda, DataType value_type, void* values,
                                    DataType, void* workspace, std::size_t bytes, void*, std::size_t, int* infos,
                                    std::int64_t batch) {
  return hermitian_values_of_type(handle, mode, fill, n, type, a, lda, value_type, values, workspace, bytes, infos,
                                  batch);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
