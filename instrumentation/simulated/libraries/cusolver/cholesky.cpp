// potrf, potrs, and their batched and 64-bit forms.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cusolver/abi.h"
#include "instrumentation/simulated/libraries/cusolver/with_type.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {
namespace {

bool valid_triangle(FillMode fill, int n, int lda) {
  return (fill == FillMode::lower || fill == FillMode::upper) && n >= 0 && lda >= std::max(1, n);
}

template <class Number>
SolverStatus factor_cholesky(SolverHandle* handle, FillMode fill, int n, const Matrices<Number>& a, int* infos,
                             int batch) {
  return solver_call(handle, valid_triangle(fill, n, a.column_step) && batch >= 0, [&] {
    if (batch == 0) return Error::success;
    LaunchShape shape;
    shape.block[0] = 256;
    shape.grid[0] = static_cast<std::uint32_t>(batch);
    // The upper triangle of A is the lower one of its transpose, whose factor is the transpose of U.
    return launch("cholesky", kernel_for<Number>("cholesky"), shape, handle->stream, n,
                  fill == FillMode::upper ? a.transposed() : a, infos);
  });
}

/// Solves A X = B with A = L L^H or A = U^H U.
template <class Number>
SolverStatus solve_cholesky(SolverHandle* handle, FillMode fill, int n, int columns, const Matrices<const Number>& a,
                            const Matrices<Number>& b, int* info, int batch) {
  const bool valid = valid_triangle(fill, n, a.column_step) && columns >= 0 && b.column_step >= std::max(1, n);
  return solver_call(handle, valid && batch >= 0, [&] {
    Error error = clear(handle->stream, info, sizeof(int));
    const Operation first = fill == FillMode::lower ? Operation::none : Operation::conjugate_transpose;
    const Operation second = fill == FillMode::lower ? Operation::conjugate_transpose : Operation::none;
    for (const Operation operation : {first, second})
      if (error == Error::success)
        error = solve_triangular<Number>(handle->stream, {.fill = fill, .operation = operation}, n, columns, Number{1},
                                         nullptr, a, b, batch);
    return error;
  });
}

}  // namespace

extern "C" {

SolverStatus cusolverDnSpotrf_bufferSize(SolverHandle* handle, FillMode fill, int n, float*, int lda, int* size) {
  return report_size(handle, valid_triangle(fill, n, lda), n, size);
}
SolverStatus cusolverDnDpotrf_bufferSize(SolverHandle* handle, FillMode fill, int n, double*, int lda, int* size) {
  return report_size(handle, valid_triangle(fill, n, lda), n, size);
}
SolverStatus cusolverDnCpotrf_bufferSize(SolverHandle* handle, FillMode fill, int n, std::complex<float>*, int lda,
                                         int* size) {
  return report_size(handle, valid_triangle(fill, n, lda), n, size);
}
SolverStatus cusolverDnZpotrf_bufferSize(SolverHandle* handle, FillMode fill, int n, std::complex<double>*, int lda,
                                         int* size) {
  return report_size(handle, valid_triangle(fill, n, lda), n, size);
}

SolverStatus cusolverDnSpotrf(SolverHandle* handle, FillMode fill, int n, float* a, int lda, float*, int, int* info) {
  return factor_cholesky(handle, fill, n, column_major(a, lda), info, 1);
}
SolverStatus cusolverDnDpotrf(SolverHandle* handle, FillMode fill, int n, double* a, int lda, double*, int, int* info) {
  return factor_cholesky(handle, fill, n, column_major(a, lda), info, 1);
}
SolverStatus cusolverDnCpotrf(SolverHandle* handle, FillMode fill, int n, std::complex<float>* a, int lda,
                              std::complex<float>*, int, int* info) {
  return factor_cholesky(handle, fill, n, column_major(a, lda), info, 1);
}
SolverStatus cusolverDnZpotrf(SolverHandle* handle, FillMode fill, int n, std::complex<double>* a, int lda,
                              std::complex<double>*, int, int* info) {
  return factor_cholesky(handle, fill, n, column_major(a, lda), info, 1);
}

SolverStatus cusolverDnSpotrfBatched(SolverHandle* handle, FillMode fill, int n, float* const* a, int lda, int* infos,
                                     int batch) {
  return factor_cholesky(handle, fill, n, column_major(a, lda), infos, batch);
}
SolverStatus cusolverDnDpotrfBatched(SolverHandle* handle, FillMode fill, int n, double* const* a, int lda, int* infos,
                                     int batch) {
  return factor_cholesky(handle, fill, n, column_major(a, lda), infos, batch);
}
SolverStatus cusolverDnCpotrfBatched(SolverHandle* handle, FillMode fill, int n, std::complex<float>* const* a, int lda,
                                     int* infos, int batch) {
  return factor_cholesky(handle, fill, n, column_major(a, lda), infos, batch);
}
SolverStatus cusolverDnZpotrfBatched(SolverHandle* handle, FillMode fill, int n, std::complex<double>* const* a,
                                     int lda, int* infos, int batch) {
  return factor_cholesky(handle, fill, n, column_major(a, lda), infos, batch);
}

SolverStatus cusolverDnSpotrs(SolverHandle* handle, FillMode fill, int n, int columns, const float* a, int lda,
                              float* b, int ldb, int* info) {
  return solve_cholesky(handle, fill, n, columns, column_major(a, lda), column_major(b, ldb), info, 1);
}
SolverStatus cusolverDnDpotrs(SolverHandle* handle, FillMode fill, int n, int columns, const double* a, int lda,
                              double* b, int ldb, int* info) {
  return solve_cholesky(handle, fill, n, columns, column_major(a, lda), column_major(b, ldb), info, 1);
}
SolverStatus cusolverDnCpotrs(SolverHandle* handle, FillMode fill, int n, int columns, const std::complex<float>* a,
                              int lda, std::complex<float>* b, int ldb, int* info) {
  return solve_cholesky(handle, fill, n, columns, column_major(a, lda), column_major(b, ldb), info, 1);
}
SolverStatus cusolverDnZpotrs(SolverHandle* handle, FillMode fill, int n, int columns, const std::complex<double>* a,
                              int lda, std::complex<double>* b, int ldb, int* info) {
  return solve_cholesky(handle, fill, n, columns, column_major(a, lda), column_major(b, ldb), info, 1);
}

SolverStatus cusolverDnSpotrsBatched(SolverHandle* handle, FillMode fill, int n, int columns, float* const* a, int lda,
                                     float* const* b, int ldb, int* info, int batch) {
  if (handle != nullptr && columns != 1) return SolverStatus::invalid_value;  // as documented
  return solve_cholesky(handle, fill, n, columns, column_major(a, lda).read_only(), column_major(b, ldb), info, batch);
}
SolverStatus cusolverDnDpotrsBatched(SolverHandle* handle, FillMode fill, int n, int columns, double* const* a, int lda,
                                     double* const* b, int ldb, int* info, int batch) {
  if (handle != nullptr && columns != 1) return SolverStatus::invalid_value;  // as documented
  return solve_cholesky(handle, fill, n, columns, column_major(a, lda).read_only(), column_major(b, ldb), info, batch);
}
SolverStatus cusolverDnCpotrsBatched(SolverHandle* handle, FillMode fill, int n, int columns,
                                     std::complex<float>* const* a, int lda, std::complex<float>* const* b, int ldb,
                                     int* info, int batch) {
  if (handle != nullptr && columns != 1) return SolverStatus::invalid_value;  // as documented
  return solve_cholesky(handle, fill, n, columns, column_major(a, lda).read_only(), column_major(b, ldb), info, batch);
}
SolverStatus cusolverDnZpotrsBatched(SolverHandle* handle, FillMode fill, int n, int columns,
                                     std::complex<double>* const* a, int lda, std::complex<double>* const* b, int ldb,
                                     int* info, int batch) {
  if (handle != nullptr && columns != 1) return SolverStatus::invalid_value;  // as documented
  return solve_cholesky(handle, fill, n, columns, column_major(a, lda).read_only(), column_major(b, ldb), info, batch);
}

SolverStatus cusolverDnXpotrf_bufferSize(SolverHandle* handle, SolverParams*, FillMode fill, std::int64_t n,
                                         DataType type, const void*, std::int64_t lda, DataType, std::size_t* on_device,
                                         std::size_t* on_host) {
  const bool valid = fits_int(n) && fits_int(lda) && valid_triangle(fill, static_cast<int>(n), static_cast<int>(lda));
  if (on_host != nullptr) *on_host = 0;
  return with_type(type, [&](auto number) {
    return report_size(handle, valid && on_host != nullptr, n * static_cast<std::int64_t>(sizeof number), on_device);
  });
}

SolverStatus cusolverDnXpotrf(SolverHandle* handle, SolverParams*, FillMode fill, std::int64_t n, DataType type,
                              void* a, std::int64_t lda, DataType, void*, std::size_t, void*, std::size_t, int* info) {
  if (!fits_int(n) || !fits_int(lda)) return SolverStatus::invalid_value;
  return with_type(type, [&](auto number) {
    return factor_cholesky(handle, fill, static_cast<int>(n),
                           column_major(static_cast<decltype(number)*>(a), static_cast<int>(lda)), info, 1);
  });
}

SolverStatus cusolverDnXpotrs(SolverHandle* handle, SolverParams*, FillMode fill, std::int64_t n, std::int64_t columns,
                              DataType type, const void* a, std::int64_t lda, DataType type_b, void* b,
                              std::int64_t ldb, int* info) {
  if (!fits_int(n) || !fits_int(columns) || !fits_int(lda) || !fits_int(ldb) || type != type_b)
    return SolverStatus::invalid_value;
  return with_type(type, [&](auto number) {
    using Number = decltype(number);
    return solve_cholesky(handle, fill, static_cast<int>(n), static_cast<int>(columns),
                          column_major(static_cast<const Number*>(a), static_cast<int>(lda)),
                          column_major(static_cast<Number*>(b), static_cast<int>(ldb)), info, 1);
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
