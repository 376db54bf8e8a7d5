#pragma once

// This folder is what the stand-ins for cuBLAS and cuSOLVER share: launches of the kernels of
// kernels/libraries/cublas_lapack. The functions are those of float, double, std::complex<float> and
// std::complex<double>. Pointers are addresses of device memory.

#include <algorithm>
#include <complex>
#include <string>
#include <type_traits>

namespace warpwalk::simulated::libraries {

/// The real type of a number, and what kernels call its type.
template <class Number>
struct NumberType;
template <>
struct NumberType<float> {
  using Real = float;
  static constexpr const char* name = "float";
};
template <>
struct NumberType<double> {
  using Real = double;
  static constexpr const char* name = "double";
};
template <>
struct NumberType<std::complex<float>> {
  using Real = float;
  static constexpr const char* name = "float2";
};
template <>
struct NumberType<std::complex<double>> {
  using Real = double;
  static constexpr const char* name = "double2";
};
template <class Number>
using Real = typename NumberType<Number>::Real;
template <class Number>
inline constexpr bool is_complex_number = !std::is_same_v<Number, Real<Number>>;

/// The name of a kernel for a type: "lu_factor<float>".
template <class Number>
std::string kernel_for(const char* name) {
  return std::string(name) + "<" + NumberType<Number>::name + ">";
}

/// The matrices of a batch, as kernels get them (kernels/libraries/cublas_lapack/matrices.cuh).
template <class Number>
struct Matrices {
  Number* first = nullptr;
  Number* const* list = nullptr;  ///< in device memory; null: there is one every `stride` elements after `first`
  long long stride = 0;
  long long offset = 0;  ///< of the element (0, 0)
  int row_step = 1, column_step = 1;

  /// The part from (row, column) on.
  Matrices from(int row, int column) const {
    Matrices part = *this;
    part.offset += static_cast<long long>(row) * row_step + static_cast<long long>(column) * column_step;
    return part;
  }
  Matrices transposed() const {
    Matrices other = *this;
    std::swap(other.row_step, other.column_step);
    return other;
  }
  /// With the last of so many rows first.
  Matrices rows_reversed(int rows) const {
    Matrices other = from(std::max(rows, 1) - 1, 0);
    other.row_step = -row_step;
    return other;
  }
  /// A square matrix of order n with the last row and the last column first.
  Matrices reversed(int n) const { return rows_reversed(n).transposed().rows_reversed(n).transposed(); }
  Matrices<const Number> read_only() const { return {first, list, stride, offset, row_step, column_step}; }
};

/// Column-major matrices with `leading` elements from column to column.
template <class Number>
Matrices<Number> column_major(Number* first, int leading, long long stride = 0) {
  return {first, nullptr, stride, 0, 1, leading};
}
/// The same by a list of their addresses.
template <class Number>
Matrices<Number> column_major(Number* const* list, int leading) {
  return {nullptr, list, 0, 0, 1, leading};
}

}  // namespace warpwalk::simulated::libraries
