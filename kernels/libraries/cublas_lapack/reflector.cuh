// Householder reflectors as LAPACK stores them.
#pragma once

#include "matrices.cuh"
#include "numbers.cuh"

namespace stand_in {

/// Makes the reflector H = I - tau v v^H, with v(0) = 1, for which H^H (head, tail) = (beta, 0), beta real. `tail` is
/// replaced by the rest of v and `head` by beta. Called by one warp. Returns tau.
template <class Number>
__device__ Number make_reflector(Number& head, const Matrix<Number>& tail, int count) {
  const int lane = threadIdx.x % warp_size;
  const Number alpha = head;
  // The norm, of elements that are scaled so that squares do not overflow.
  Real<Number> largest = 0;
  for (int i = lane; i < count; i += warp_size) largest = max(largest, magnitude(tail(i, 0)));
  largest = warp_max(largest);
  if (largest == 0 && imaginary_part(alpha) == 0) return Number{};  // H = I
  const Real<Number> scale = max(largest, magnitude(alpha));
  Real<Number> squares = 0;
  for (int i = lane; i < count; i += warp_size) squares += square((1 / scale) * tail(i, 0));
  squares = warp_sum(squares) + square((1 / scale) * alpha);
  const Real<Number> norm = scale * sqrt(squares), beta = real_part(alpha) > 0 ? -norm : norm;

  const Number difference = alpha - from_real<Number>(beta);
  for (int i = lane; i < count; i += warp_size) tail(i, 0) = divide(tail(i, 0), difference);
  __syncwarp();
  if (lane == 0) head = from_real<Number>(beta);
  return (-1 / beta) * difference;
}

/// x = x - factor v (v^H x) for the vector x = (head, tail), with v(0) = 1. `conjugated`: with conj(v) in place of v.
/// Called by one warp.
template <class Number>
__device__ void reflect(Number factor, const Matrix<const Number>& v, bool conjugated, Number& head,
                        const Matrix<Number>& tail, int count) {
  const int lane = threadIdx.x % warp_size;
  Number product = lane == 0 ? head : Number{};
  for (int i = lane; i < count; i += warp_size) product += conjugate_if(!conjugated, v(i, 0)) * tail(i, 0);
  product = factor * warp_sum(product);
  for (int i = lane; i < count; i += warp_size) tail(i, 0) -= conjugate_if(conjugated, v(i, 0)) * product;
  if (lane == 0) head -= product;
}

/// The part of a matrix from (row, column) on.
template <class Number>
__device__ Matrix<Number> part(const Matrix<Number>& matrix, int row, int column) {
  return {&matrix(row, column), matrix.row_step, matrix.column_step};
}
template <class Number>
__device__ Matrix<const Number> constant_part(const Matrix<Number>& matrix, int row, int column) {
  return {&matrix(row, column), matrix.row_step, matrix.column_step};
}

}  // namespace stand_in
