// LU factorization and its systems.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {
namespace {

template <class Number>
Error swap_rows(const void* stream, int n, int columns, const Matrices<Number>& b, const int* pivots, bool backward,
                int batch) {
  if (pivots == nullptr || n == 0 || columns == 0 || batch == 0) return Error::success;
  constexpr unsigned threads = 128;
  LaunchShape shape;
  shape.block[0] = threads;
  shape.grid = {static_cast<std::uint32_t>(batch), (static_cast<unsigned>(columns) + threads - 1) / threads, 1};
  return launch("lu", kernel_for<Number>("swap_rows"), shape, stream, n, columns, b, pivots, static_cast<long long>(n),
                backward);
}

}  // namespace

template <class Number>
Error factor_lu(const void* stream, int m, int n, const Matrices<Number>& a, int* pivots, int* infos, int batch) {
  if (batch == 0) return Error::success;
  LaunchShape shape;
  shape.block[0] = 256;
  shape.grid[0] = static_cast<std::uint32_t>(batch);
  return launch("lu", kernel_for<Number>("lu_factor"), shape, stream, m, n, a, pivots, infos);
}

template <class Number>
Error solve_lu(const void* stream, Operation operation, int n, int columns, const Matrices<const Number>& a,
               const int* pivots, const Matrices<Number>& b, int batch) {
  const Triangle lower{.operation = operation, .diagonal = DiagonalType::unit};
  const Triangle upper{.fill = FillMode::upper, .operation = operation};
  const bool forward = operation == Operation::none;
  // P A = L U: L and U after the swaps, or the transposes of U and L before they are undone.
  Error error = forward ? swap_rows(stream, n, columns, b, pivots, false, batch) : Error::success;
  for (const Triangle& triangle : {forward ? lower : upper, forward ? upper : lower})
    if (error == Error::success)
      error = solve_triangular<Number>(stream, triangle, n, columns, Number{1}, nullptr, a, b, batch);
  if (error == Error::success && !forward) error = swap_rows(stream, n, columns, b, pivots, true, batch);
  return error;
}

template Error factor_lu(const void*, int, int, const Matrices<float>&, int*, int*, int);
template Error factor_lu(const void*, int, int, const Matrices<double>&, int*, int*, int);
template Error factor_lu(const void*, int, int, const Matrices<std::complex<float>>&, int*, int*, int);
template Error factor_lu(const void*, int, int, const Matrices<std::complex<double>>&, int*, int*, int);

template Error solve_lu(const void*, Operation, int, int, const Matrices<const float>&, const int*,
                        const Matrices<float>&, int);
template Error solve_lu(const void*, Operation, int, int, const Matrices<const double>&, const int*,
                        const Matrices<double>&, int);
template Error solve_lu(const void*, Operation, int, int, const Matrices<const std::complex<float>>&, const int*,
                        const Matrices<std::complex<float>>&, int);
template Error solve_lu(const void*, Operation, int, int, const Matrices<const std::complex<double>>&, const int*,
                        const Matrices<std::complex<double>>&, int);

}  // namespace warpwalk::simulated::libraries
