// Triangular systems.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {

template <class Number>
Error solve_triangular(const void* stream, const Triangle& triangle, int m, int n, Number alpha, const Number* alpha_at,
                       const Matrices<const Number>& a, const Matrices<Number>& b, int batch) {
  if (m == 0 || n == 0 || batch == 0) return Error::success;
  const bool left = triangle.side == SideMode::left, conjugated = triangle.operation == Operation::conjugate_transpose;
  const int order = left ? m : n, columns = left ? n : m;
  Matrices<const Number> lower = a;
  Matrices<Number> sides = b;
  bool transposed = triangle.operation != Operation::none;
  // X op(A) = B is op(A)^T X^T = B^T.
  if (!left) {
    sides = sides.transposed();
    transposed = !transposed;
  }
  if (transposed) lower = lower.transposed();
  // An upper triangle is a lower one from its last row on.
  if ((triangle.fill == FillMode::upper) != transposed) {
    lower = lower.reversed(order);
    sides = sides.rows_reversed(order);
  }
  constexpr int tile = 32, most_tiles = 65535;
  LaunchShape shape;
  shape.block[0] = 256;
  shape.grid[0] = static_cast<std::uint32_t>(batch);
  for (int first = 0; first < columns; first += tile * most_tiles) {
    const int some = std::min(columns - first, tile * most_tiles);
    shape.grid[1] = static_cast<std::uint32_t>((some + tile - 1) / tile);
    const Error error =
        launch("triangular", kernel_for<Number>("solve_lower"), shape, stream, order, some, lower, conjugated,
               triangle.diagonal == DiagonalType::unit, alpha, alpha_at, sides.from(0, first));
    if (error != Error::success) return error;
  }
  return Error::success;
}

template Error solve_triangular(const void*, const Triangle&, int, int, float, const float*,
                                const Matrices<const float>&, const Matrices<float>&, int);
template Error solve_triangular(const void*, const Triangle&, int, int, double, const double*,
                                const Matrices<const double>&, const Matrices<double>&, int);
template Error solve_triangular(const void*, const Triangle&, int, int, std::complex<float>, const std::complex<float>*,
                                const Matrices<const std::complex<float>>&, const Matrices<std::complex<float>>&, int);
template Error solve_triangular(const void*, const Triangle&, int, int, std::complex<double>,
                                const std::complex<double>*, const Matrices<const std::complex<double>>&,
                                const Matrices<std::complex<double>>&, int);

}  // namespace warpwalk::simulated::libraries
