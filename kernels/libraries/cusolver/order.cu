// nvcc: -std=c++20
// Puts the vectors of eigenvalue and singular value decompositions into the order of their values.

#include "../cublas_lapack/matrices.cuh"
#include "../cublas_lapack/numbers.cuh"

namespace stand_in::cusolver {

/// Copies column j of matrices of `rows` rows to column places[j] of others, unless that is `kept` or more. If
/// `factors.first` is not null, column p is multiplied by the sign of the diagonal element p of these matrices, which
/// are R of a QR factorization. `conjugated`: the copies are conjugates. blockIdx.x: the matrix; a warp per column.
template <class Number>
__global__ void place_columns(int rows, int columns, int kept, Matrices<const Number> sources, const int* places,
                              long long places_stride, Matrices<const Number> factors, bool conjugated,
                              Matrices<Number> targets) {
  const int lane = threadIdx.x % warp_size;
  const int column = blockIdx.y * (blockDim.x / warp_size) + threadIdx.x / warp_size;
  if (column >= columns) return;
  const int place = places[blockIdx.x * places_stride + column];
  if (place >= kept) return;
  const Matrix<const Number> source = sources[blockIdx.x];
  const Matrix<Number> target = targets[blockIdx.x];
  const bool negative = factors.first != nullptr && real_part(factors[blockIdx.x](place, place)) < 0;
  for (int i = lane; i < rows; i += warp_size) {
    const Number value = conjugate_if(conjugated, source(i, column));
    target(i, place) = negative ? -value : value;
  }
}

template __global__ void place_columns(int, int, int, Matrices<const float>, const int*, long long,
                                       Matrices<const float>, bool, Matrices<float>);
template __global__ void place_columns(int, int, int, Matrices<const double>, const int*, long long,
                                       Matrices<const double>, bool, Matrices<double>);
template __global__ void place_columns(int, int, int, Matrices<const float2>, const int*, long long,
                                       Matrices<const float2>, bool, Matrices<float2>);
template __global__ void place_columns(int, int, int, Matrices<const double2>, const int*, long long,
                                       Matrices<const double2>, bool, Matrices<double2>);

}  // namespace stand_in::cusolver
