#pragma once

#include <algorithm>
#include <array>

#include "instrumentation/simulated/libraries/cublas/vectors.h"
#include "kernels/libraries/cublas/structured.h"

namespace warpwalk::simulated::libraries {

/// A matrix whose columns follow one another.
inline stand_in::cublas::StructuredMatrix plain_matrix(const void* at, std::int64_t leading) {
  return {at, 1, leading, stand_in::cublas::general, 0, 0};
}

/// A vector as a matrix of one column.
template <class Number>
stand_in::cublas::StructuredMatrix column_vector(const Number* x, std::int64_t n, std::int64_t step) {
  return {first_element(x, n, step), step, 0, stand_in::cublas::general, 0, 0};
}

/// The transpose of a matrix, or its conjugate.
inline stand_in::cublas::StructuredMatrix transposed(stand_in::cublas::StructuredMatrix matrix,
                                                     bool conjugates = false) {
  std::swap(matrix.row, matrix.column);
  matrix.is_lower = static_cast<int>(matrix.is_lower == 0);
  if (conjugates) matrix.conjugates = static_cast<int>(matrix.conjugates == 0);
  return matrix;
}

/// The number of `part` of StructuredProduct.
inline int part_of(FillMode fill) { return fill == FillMode::lower ? 1 : 2; }

inline bool is_triangle(FillMode fill) { return fill == FillMode::lower || fill == FillMode::upper; }

/// Sets alpha or beta of a kernel's arguments: the value on the host, or the address.
template <class Number>
void set_scalar(const BlasHandle& handle, const Number* scalar, double& real, double& imaginary, const void*& at) {
  if (handle.scalars_on_device()) {
    at = scalar;
    return;
  }
  const ComplexDouble value(*scalar);
  real = value.real();
  imaginary = value.imag();
}

/// Launches structured_product for numbers of this type.
template <class Number>
BlasStatus launch_structured(const BlasHandle& handle, stand_in::cublas::StructuredProduct product) {
  if (product.m <= 0 || product.n <= 0) return BlasStatus::success;
  constexpr int side = 16;
  LaunchShape shape;
  shape.block[0] = side * side;
  shape.grid = {static_cast<std::uint32_t>((product.m + side - 1) / side),
                static_cast<std::uint32_t>((product.n + side - 1) / side), 1};
  return blas_status(launch("structured", kernel_of<Number>("structured_product"), shape, handle.stream, product));
}

}  // namespace warpwalk::simulated::libraries
