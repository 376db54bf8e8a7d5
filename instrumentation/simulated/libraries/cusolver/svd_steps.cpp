// Singular values: the launches.
#include <cmath>
#include <limits>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cusolver/svd.h"

namespace warpwalk::simulated::libraries {
namespace {

LaunchShape svd_shape(int batch, int columns) {
  constexpr int warps = 8;
  LaunchShape shape;
  shape.block[0] = 256;
  shape.grid[0] = static_cast<std::uint32_t>(batch);
  shape.grid[1] = static_cast<std::uint32_t>((columns + warps - 1) / warps);
  return shape;
}

}  // namespace

template <class Number>
Error find_singular_values(const void* stream, int m, int n, const Matrices<const Number>& a,
                           const SingularValues<Number>& wanted, Number* workspace, const JacobiSettings* settings,
                           int batch) {
  if (batch == 0) return Error::success;
  // A wide matrix is decomposed as its conjugate transpose: A^H = V S U^H.
  const bool wide = m < n;
  const int rows = std::max(m, n), columns = std::min(m, n);
  const Matrices<Number>&tall = wide ? wanted.v : wanted.u, &square = wide ? wanted.u : wanted.v;
  const int tall_columns = wide ? wanted.v_columns : wanted.u_columns,
            square_columns = wide ? wanted.u_columns : wanted.v_columns;

  // The workspace, in its order: G, V, the factors of reflectors, places.
  const long long area = static_cast<long long>(rows) * columns,
                  square_area = static_cast<long long>(columns) * columns;
  const Matrices<Number> g = column_major(workspace, std::max(rows, 1), area);
  Matrices<Number> v = column_major(g.first + area * batch, std::max(columns, 1), square_area);
  const Matrices<Number> taus = column_major(v.first + square_area * batch, std::max(columns, 1), columns);
  auto* const places = reinterpret_cast<int*>(taus.first + static_cast<long long>(columns) * batch);
  const long long places_stride = columns;
  if (square_columns == 0) v.first = nullptr;

  // Columns count as orthogonal if the cosine of their angle is below this.
  using Float = Real<Number>;
  constexpr int least_rows = 16;
  const Float accuracy =
      std::numeric_limits<Float>::epsilon() * std::sqrt(static_cast<Float>(std::max(rows, least_rows)));
  const Float asked = settings == nullptr ? 0 : static_cast<Float>(settings->tolerance);
  LaunchShape shape = svd_shape(batch, 1);
  shape.dynamic_shared_bytes = sizeof(Float) * static_cast<std::size_t>(columns);
  const int sweeps = settings == nullptr ? JacobiSettings{}.max_sweeps : settings->max_sweeps;
  Error error = launch("svd", kernel_for<Number>("jacobi_svd"), shape, stream, rows, columns, wanted.kept,
                       wide ? a.transposed() : a, wide, g, v, sweeps, std::max(asked, accuracy), wanted.values,
                       wanted.values_stride, places, places_stride, wanted.residuals, wanted.infos);

  // The QR factorization of the columns of G, which are orthogonal, gives the vectors of the longer side, whatever the
  // rank is: R is diagonal, with the singular values up to their signs, which go to the other side.
  const bool with_tall = tall_columns > 0 && rows > 0;
  if (error == Error::success && with_tall && columns > 0) {
    error = launch("order", kernel_for<Number>("place_columns"), svd_shape(batch, columns), stream, rows, columns,
                   wanted.kept, g.read_only(), static_cast<const int*>(places), places_stride, Matrices<const Number>{},
                   false, tall);
    if (error == Error::success) error = factor_qr(stream, rows, wanted.kept, tall, taus, batch);
  }
  if (error == Error::success && square_columns > 0 && columns > 0)
    error = launch("order", kernel_for<Number>("place_columns"), svd_shape(batch, columns), stream, columns, columns,
                   wanted.kept, v.read_only(), static_cast<const int*>(places), places_stride,
                   with_tall ? tall.read_only() : Matrices<const Number>{}, wanted.v_adjoint,
                   wanted.v_adjoint ? square.transposed() : square);
  if (error == Error::success && with_tall)
    error = form_q(stream, rows, tall_columns, wanted.kept, tall, taus.read_only(), batch);
  return error;
}

template Error find_singular_values(const void*, int, int, const Matrices<const float>&, const SingularValues<float>&,
                                    float*, const JacobiSettings*, int);
template Error find_singular_values(const void*, int, int, const Matrices<const double>&, const SingularValues<double>&,
                                    double*, const JacobiSettings*, int);
template Error find_singular_values(const void*, int, int, const Matrices<const std::complex<float>>&,
                                    const SingularValues<std::complex<float>>&, std::complex<float>*,
                                    const JacobiSettings*, int);
template Error find_singular_values(const void*, int, int, const Matrices<const std::complex<double>>&,
                                    const SingularValues<std::complex<double>>&, std::complex<double>*,
                                    const JacobiSettings*, int);

}  // namespace warpwalk::simulated::libraries
