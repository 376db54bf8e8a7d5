// Xgeev: eigenvalues of matrices that are not symmetric.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cusolver/abi.h"
#include "instrumentation/simulated/libraries/cusolver/with_type.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {
namespace {

template <class Number>
using ComplexNumber = std::complex<Real<Number>>;

/// Bytes of workspace: for each eigenvector of the Schur form a complex vector, the Schur form, its unitary matrix,
/// factors of reflectors, eigenvalues.
template <class Number>
std::int64_t eigen_workspace(std::int64_t n) {
  return n * n * static_cast<std::int64_t>(sizeof(ComplexNumber<Number>)) +
         (2 * n * n + 3 * n) * static_cast<std::int64_t>(sizeof(Number));
}

/// What Xgeev is asked for.
struct EigenRequest {
  EigenMode left = EigenMode::values, right = EigenMode::values;
  std::int64_t n = 0, lda = 0, ldvr = 0;
  DataType type{}, value_type{}, vector_type{};
};

DataType complex_type(DataType type) {
  if (type == DataType::real_32) return DataType::complex_32;
  if (type == DataType::real_64) return DataType::complex_64;
  return type;
}

bool valid_request(const EigenRequest& request) {
  const std::int64_t least = std::max<std::int64_t>(1, request.n);
  return fits_int(request.n) && fits_int(request.lda) && fits_int(request.ldvr) && request.lda >= least &&
         (request.right == EigenMode::values || (request.ldvr >= least && request.vector_type == request.type)) &&
         (request.value_type == request.type || request.value_type == complex_type(request.type));
}

template <class Number>
Error find_eigenvalues(const void* stream, const EigenRequest& request, const Number* a, void* values, Number* vectors,
                       void* workspace, int* info) {
  const auto n = static_cast<int>(request.n);
  if (n == 0) return clear(stream, info, sizeof(int));
  const std::int64_t square = request.n * request.n;
  auto* const works = static_cast<ComplexNumber<Number>*>(workspace);
  const Matrices<Number> h = column_major(reinterpret_cast<Number*>(works + square), n);
  const Matrices<Number> q = column_major(h.first + square, n);
  Number* const taus = q.first + square;
  Number* const found = taus + n;

  LaunchShape block, warp, per_value = shape_over(static_cast<std::uint64_t>(n)), per_vector;
  block.block[0] = 256;
  warp.block[0] = 32;
  constexpr int warps = 4;
  per_vector.block[0] = 128;
  per_vector.grid[1] = static_cast<std::uint32_t>((n + warps - 1) / warps);
  const bool with_vectors = request.right == EigenMode::vectors;
  Error error = launch("hessenberg", kernel_for<Number>("hessenberg"), block, stream, n,
                       column_major(a, static_cast<int>(request.lda)), h, q, taus);
  if (error == Error::success)
    error = form_q(stream, n - 1, n - 1, n - 1, q.from(1, 1), column_major(taus, n).read_only(), 1);
  if (error == Error::success)
    error = launch(is_complex_number<Number> ? "schur_complex" : "schur_real",
                   kernel_for<Number>(is_complex_number<Number> ? "complex_schur" : "real_schur"), warp, stream, n, h,
                   q, found, info);
  if (error == Error::success && with_vectors)
    error = launch("schur_vectors", kernel_for<Number>("schur_vectors"), per_vector, stream, n, h.read_only(),
                   q.read_only(), static_cast<const Number*>(found), works,
                   column_major(vectors, static_cast<int>(request.ldvr)));
  if (error == Error::success)
    error = launch("schur_vectors", kernel_for<Number>("store_values"), per_value, stream, n,
                   static_cast<const Number*>(found), request.value_type == complex_type(request.type), values);
  return error;
}

}  // namespace

extern "C" {

SolverStatus cusolverDnXgeev_bufferSize(SolverHandle* handle, SolverParams*, EigenMode left, EigenMode right,
                                        std::int64_t n, DataType type, const void*, std::int64_t lda,
                                        DataType value_type, const void*, DataType, const void*, std::int64_t,
                                        DataType vector_type, const void*, std::int64_t ldvr, DataType,
                                        std::size_t* on_device, std::size_t* on_host) {
  const EigenRequest request{left, right, n, lda, ldvr, type, value_type, vector_type};
  const bool valid = valid_request(request) && on_host != nullptr;
  if (on_host != nullptr) *on_host = 0;
  return with_type(
      type, [&](auto number) { return report_size(handle, valid, eigen_workspace<decltype(number)>(n), on_device); });
}

SolverStatus cusolverDnXgeev(SolverHandle* handle, SolverParams*, EigenMode left, EigenMode right, std::int64_t n,
                             DataType type, void* a, std::int64_t lda, DataType value_type, void* values, DataType,
                             void*, std::int64_t, DataType vector_type, void* vectors, std::int64_t ldvr, DataType,
                             void* workspace, std::size_t bytes, void*, std::size_t, int* info) {
  const EigenRequest request{left, right, n, lda, ldvr, type, value_type, vector_type};
  if (handle != nullptr && left != EigenMode::values) {
    tell_not_supported("cuSOLVER", "cusolverDnXgeev", "left eigenvectors");
    return SolverStatus::not_supported;
  }
  return with_type(type, [&](auto number) {
    using Number = decltype(number);
    const bool valid = valid_request(request) && static_cast<std::int64_t>(bytes) >= eigen_workspace<Number>(n);
    return solver_call(handle, valid, [&] {
      return find_eigenvalues(handle->stream, request, static_cast<const Number*>(a), values,
                              static_cast<Number*>(vectors), workspace, info);
    });
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
