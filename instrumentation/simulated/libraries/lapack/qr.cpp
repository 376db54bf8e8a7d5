// QR factorization.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {
namespace {

/// One block of 8 warps for each matrix.
LaunchShape block_per_matrix(int batch) {
  LaunchShape shape;
  shape.block[0] = 256;
  shape.grid[0] = static_cast<std::uint32_t>(batch);
  return shape;
}

}  // namespace

template <class Number>
Error factor_qr(const void* stream, int m, int n, const Matrices<Number>& a, const Matrices<Number>& taus, int batch) {
  if (m == 0 || n == 0 || batch == 0) return Error::success;
  return launch("qr", kernel_for<Number>("qr_factor"), block_per_matrix(batch), stream, m, n, a, taus, true, 0,
                Matrices<Number>{});
}

template <class Number>
Error solve_least_squares(const void* stream, int m, int n, int columns, const Matrices<Number>& a,
                          const Matrices<Number>& c, int batch) {
  if (n == 0 || columns == 0 || batch == 0) return Error::success;
  const Error error = launch("qr", kernel_for<Number>("qr_factor"), block_per_matrix(batch), stream, m, n, a,
                             Matrices<Number>{}, false, columns, c);
  if (error != Error::success) return error;
  return solve_triangular<Number>(stream, {.fill = FillMode::upper}, n, columns, Number{1}, nullptr, a.read_only(), c,
                                  batch);
}

template <class Number>
Error form_q(const void* stream, int m, int n, int k, const Matrices<Number>& a, const Matrices<const Number>& taus,
             int batch) {
  if (m == 0 || n == 0 || batch == 0) return Error::success;
  return launch("qr", kernel_for<Number>("form_q"), block_per_matrix(batch), stream, m, n, k, a, taus);
}

template <class Number>
Error multiply_by_q(const void* stream, SideMode side, Operation operation, int m, int n, int k,
                    const Matrices<const Number>& a, const Matrices<const Number>& taus, const Matrices<Number>& c,
                    int batch) {
  if (m == 0 || n == 0 || k == 0 || batch == 0) return Error::success;
  // Q C is H(1) (H(2) ... C): the last reflector comes first. For C Q, the columns are the rows of C, and the first one
  // comes first.
  const bool left = side == SideMode::left, none = operation == Operation::none;
  const int columns = left ? n : m;
  constexpr int warps = 8;
  LaunchShape shape = block_per_matrix(batch);
  shape.grid[1] = static_cast<std::uint32_t>((columns + warps - 1) / warps);
  return launch("qr", kernel_for<Number>("apply_reflectors"), shape, stream, left ? m : n, columns, k, a, taus,
                left ? c : c.transposed(), left != none, !none, !left);
}

template <class Number>
Error find_zero_diagonal(const void* stream, int n, const Matrices<const Number>& a, int* infos, int batch) {
  if (infos == nullptr || batch == 0) return Error::success;
  return launch("qr", kernel_for<Number>("find_zero_diagonal"), shape_over(static_cast<std::uint64_t>(batch)), stream,
                n, batch, a, infos);
}

template Error factor_qr(const void*, int, int, const Matrices<float>&, const Matrices<float>&, int);
template Error factor_qr(const void*, int, int, const Matrices<double>&, const Matrices<double>&, int);
template Error factor_qr(const void*, int, int, const Matrices<std::complex<float>>&,
                         const Matrices<std::complex<float>>&, int);
template Error factor_qr(const void*, int, int, const Matrices<std::complex<double>>&,
                         const Matrices<std::complex<double>>&, int);

template Error solve_least_squares(const void*, int, int, int, const Matrices<float>&, const Matrices<float>&, int);
template Error solve_least_squares(const void*, int, int, int, const Matrices<double>&, const Matrices<double>&, int);
template Error solve_least_squares(const void*, int, int, int, const Matrices<std::complex<float>>&,
                                   const Matrices<std::complex<float>>&, int);
template Error solve_least_squares(const void*, int, int, int, const Matrices<std::complex<double>>&,
                                   const Matrices<std::complex<double>>&, int);

template Error form_q(const void*, int, int, int, const Matrices<float>&, const Matrices<const float>&, int);
template Error form_q(const void*, int, int, int, const Matrices<double>&, const Matrices<const double>&, int);
template Error form_q(const void*, int, int, int, const Matrices<std::complex<float>>&,
                      const Matrices<const std::complex<float>>&, int);
template Error form_q(const void*, int, int, int, const Matrices<std::complex<double>>&,
                      const Matrices<const std::complex<double>>&, int);

template Error multiply_by_q(const void*, SideMode, Operation, int, int, int, const Matrices<const float>&,
                             const Matrices<const float>&, const Matrices<float>&, int);
template Error multiply_by_q(const void*, SideMode, Operation, int, int, int, const Matrices<const double>&,
                             const Matrices<const double>&, const Matrices<double>&, int);
template Error multiply_by_q(const void*, SideMode, Operation, int, int, int,
                             const Matrices<const std::complex<float>>&, const Matrices<const std::complex<float>>&,
                             const Matrices<std::complex<float>>&, int);
template Error multiply_by_q(const void*, SideMode, Operation, int, int, int,
                             const Matrices<const std::complex<double>>&, const Matrices<const std::complex<double>>&,
                             const Matrices<std::complex<double>>&, int);

template Error find_zero_diagonal(const void*, int, const Matrices<const float>&, int*, int);
template Error find_zero_diagonal(const void*, int, const Matrices<const double>&, int*, int);
template Error find_zero_diagonal(const void*, int, const Matrices<const std::complex<float>>&, int*, int);
template Error find_zero_diagonal(const void*, int, const Matrices<const std::complex<double>>&, int*, int);

}  // namespace warpwalk::simulated::libraries
