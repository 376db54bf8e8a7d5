// Eigenvalues of symmetric and Hermitian matrices: the launches.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cusolver/hermitian.h"

namespace warpwalk::simulated::libraries {

template <class Number>
Error decompose_hermitian(const void* stream, bool vectors, FillMode fill, int n, const Matrices<Number>& a,
                          Real<Number>* values, Number* workspace, int* infos, int batch) {
  if (batch == 0) return Error::success;
  if (n == 0) return clear(stream, infos, sizeof(int) * static_cast<std::size_t>(batch));
  const long long order = n, square = order * order;
  // The workspace, in its order: matrices, reflectors and eigenvectors, two vectors, the factors of the reflectors,
  // four arrays of real numbers, places.
  const Matrices<Number> work = column_major(workspace, n, square);
  const Matrices<Number> q = column_major(work.first + square * batch, n, square);
  const Matrices<Number> pair = column_major(q.first + square * batch, n, 2 * order);
  const Matrices<Number> taus = column_major(pair.first + 2 * order * batch, n, order);
  auto* const reals = reinterpret_cast<Real<Number>*>(taus.first + order * batch);
  auto* const places = reinterpret_cast<int*>(reals + 4 * order * batch);

  // The upper triangle is the lower one of the transpose, which is the conjugate.
  const bool upper = fill == FillMode::upper;
  LaunchShape shape;
  shape.block[0] = 256;
  shape.grid[0] = static_cast<std::uint32_t>(batch);
  Error error = launch("hermitian", kernel_for<Number>("tridiagonal"), shape, stream, n,
                       (upper ? a.transposed() : a).read_only(), upper, work, q, pair, taus, reals);
  if (error == Error::success && vectors)
    error = form_q(stream, n - 1, n - 1, n - 1, q.from(1, 1), taus.read_only(), batch);
  if (error == Error::success)
    error = launch("hermitian", kernel_for<Number>("implicit_ql"), shape, stream, n, reals, q, vectors, values, order,
                   places, order, infos);
  if (error != Error::success || !vectors) return error;
  constexpr int warps = 8;
  shape.grid[1] = static_cast<std::uint32_t>((n + warps - 1) / warps);
  return launch("order", kernel_for<Number>("place_columns"), shape, stream, n, n, n, q.read_only(),
                static_cast<const int*>(places), order, Matrices<const Number>{}, false, a);
}

template Error decompose_hermitian(const void*, bool, FillMode, int, const Matrices<float>&, float*, float*, int*, int);
template Error decompose_hermitian(const void*, bool, FillMode, int, const Matrices<double>&, double*, double*, int*,
                                   int);
template Error decompose_hermitian(const void*, bool, FillMode, int, const Matrices<std::complex<float>>&, float*,
                                   std::complex<float>*, int*, int);
template Error decompose_hermitian(const void*, bool, FillMode, int, const Matrices<std::complex<double>>&, double*,
                                   std::complex<double>*, int*, int);

}  // namespace warpwalk::simulated::libraries
