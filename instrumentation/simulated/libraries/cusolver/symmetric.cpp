// sytrf, Xsytrs: symmetric matrices that are not definite.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cusolver/abi.h"
#include "instrumentation/simulated/libraries/cusolver/with_type.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {
namespace {

bool valid_symmetric(FillMode fill, std::int64_t n, std::int64_t lda) {
  return (fill == FillMode::lower || fill == FillMode::upper) && fits_int(n) && fits_int(lda) &&
         lda >= std::max<std::int64_t>(1, n);
}

/// The upper triangle, from its last row on, is a lower one.
template <class Number>
Matrices<Number> as_lower(const Matrices<Number>& a, FillMode fill, int n) {
  return fill == FillMode::upper ? a.reversed(n) : a;
}

template <class Number>
SolverStatus factor_ldl(SolverHandle* handle, FillMode fill, int n, Number* a, int lda, int* pivots, Number* workspace,
                        int size, int* info) {
  return solver_call(handle, valid_symmetric(fill, n, lda) && size >= 2 * n, [&] {
    LaunchShape shape;
    shape.block[0] = 256;
    return launch("symmetric_indefinite", kernel_for<Number>("ldl_factor"), shape, handle->stream, n,
                  as_lower(column_major(a, lda), fill, n), fill == FillMode::upper, pivots, workspace, info);
  });
}

template <class Number>
SolverStatus solve_ldl(SolverHandle* handle, FillMode fill, int n, int columns, const Number* a, int lda,
                       const long long* pivots, Number* b, int ldb, int* info) {
  return solver_call(handle, columns >= 0 && ldb >= std::max(1, n), [&] {
    const Error error = clear(handle->stream, info, sizeof(int));
    if (error != Error::success || n == 0 || columns == 0) return error;
    constexpr int warps = 4;
    LaunchShape shape;
    shape.block[0] = 128;
    shape.grid[0] = static_cast<std::uint32_t>((columns + warps - 1) / warps);
    const bool upper = fill == FillMode::upper;
    const Matrices<Number> sides = column_major(b, ldb);
    return launch("symmetric_indefinite", kernel_for<Number>("ldl_solve"), shape, handle->stream, n, columns,
                  as_lower(column_major(a, lda), fill, n), upper, pivots, upper ? sides.rows_reversed(n) : sides);
  });
}

}  // namespace

extern "C" {

SolverStatus cusolverDnSsytrf_bufferSize(SolverHandle* handle, int n, float*, int lda, int* size) {
  return report_size(handle, valid_symmetric(FillMode::lower, n, lda), 2LL * n, size);
}
SolverStatus cusolverDnDsytrf_bufferSize(SolverHandle* handle, int n, double*, int lda, int* size) {
  return report_size(handle, valid_symmetric(FillMode::lower, n, lda), 2LL * n, size);
}
SolverStatus cusolverDnCsytrf_bufferSize(SolverHandle* handle, int n, std::complex<float>*, int lda, int* size) {
  return report_size(handle, valid_symmetric(FillMode::lower, n, lda), 2LL * n, size);
}
SolverStatus cusolverDnZsytrf_bufferSize(SolverHandle* handle, int n, std::complex<double>*, int lda, int* size) {
  return report_size(handle, valid_symmetric(FillMode::lower, n, lda), 2LL * n, size);
}

SolverStatus cusolverDnSsytrf(SolverHandle* handle, FillMode fill, int n, float* a, int lda, int* pivots,
                              float* workspace, int size, int* info) {
  return factor_ldl(handle, fill, n, a, lda, pivots, workspace, size, info);
}
SolverStatus cusolverDnDsytrf(SolverHandle* handle, FillMode fill, int n, double* a, int lda, int* pivots,
                              double* workspace, int size, int* info) {
  return factor_ldl(handle, fill, n, a, lda, pivots, workspace, size, info);
}
SolverStatus cusolverDnCsytrf(SolverHandle* handle, FillMode fill, int n, std::complex<float>* a, int lda, int* pivots,
                              std::complex<float>* workspace, int size, int* info) {
  return factor_ldl(handle, fill, n, a, lda, pivots, workspace, size, info);
}
SolverStatus cusolverDnZsytrf(SolverHandle* handle, FillMode fill, int n, std::complex<double>* a, int lda, int* pivots,
                              std::complex<double>* workspace, int size, int* info) {
  return factor_ldl(handle, fill, n, a, lda, pivots, workspace, size, info);
}

SolverStatus cusolverDnXsytrs_bufferSize(SolverHandle* handle, FillMode fill, std::int64_t n, std::int64_t columns,
                                         DataType type, const void*, std::int64_t lda, const std::int64_t*,
                                         DataType type_b, void*, std::int64_t ldb, std::size_t* on_device,
                                         std::size_t* on_host) {
  const bool valid = valid_symmetric(fill, n, lda) && fits_int(columns) && fits_int(ldb) && type == type_b &&
                     ldb >= std::max<std::int64_t>(1, n) && on_host != nullptr;
  if (on_host != nullptr) *on_host = 0;
  return report_size(handle, valid, 0, on_device);
}

SolverStatus cusolverDnXsytrs(SolverHandle* handle, FillMode fill, std::int64_t n, std::int64_t columns, DataType type,
                              const void* a, std::int64_t lda, const std::int64_t* pivots, DataType type_b, void* b,
                              std::int64_t ldb, void*, std::size_t, void*, std::size_t, int* info) {
  if (!valid_symmetric(fill, n, lda) || !fits_int(columns) || !fits_int(ldb) || type != type_b)
    return SolverStatus::invalid_value;
  return with_type(type, [&](auto number) {
    using Number = decltype(number);
    return solve_ldl(handle, fill, static_cast<int>(n), static_cast<int>(columns), static_cast<const Number*>(a),
                     static_cast<int>(lda), reinterpret_cast<const long long*>(pivots), static_cast<Number*>(b),
                     static_cast<int>(ldb), info);
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
