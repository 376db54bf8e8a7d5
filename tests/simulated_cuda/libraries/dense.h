#pragma once

// Matrices in double precision, in which tests compute what LAPACK's functions should.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include "called_library.h"

namespace warpwalk::libraries_test {

using Value = std::complex<double>;

/// A matrix, column by column.
struct Dense {
  int rows = 0, columns = 0;
  std::vector<Value> values;

  Dense(int m, int n) : rows(m), columns(n), values(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)) {}
  Value& operator()(int i, int j) { return values[index(i, j)]; }
  const Value& operator()(int i, int j) const { return values[index(i, j)]; }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i);
  }
};

inline Dense operator*(const Dense& a, const Dense& b) {
  Dense product(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int k = 0; k < a.columns; ++k)
      for (int i = 0; i < a.rows; ++i) product(i, j) += a(i, k) * b(k, j);
  return product;
}

/// A, its transpose or its conjugate transpose, by the number of a cublasOperation_t.
inline Dense operation_of(const Dense& a, int operation) {
  if (operation == 0) return a;
  Dense other(a.columns, a.rows);
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i) other(j, i) = operation == 2 ? std::conj(a(i, j)) : a(i, j);
  return other;
}
inline Dense adjoint(const Dense& a) { return operation_of(a, 2); }

inline Dense identity(int n) {
  Dense one(n, n);
  for (int i = 0; i < n; ++i) one(i, i) = 1;
  return one;
}

/// The largest difference between two elements.
inline double distance(const Dense& a, const Dense& b) {
  if (a.rows != b.rows || a.columns != b.columns) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double difference = std::abs(a.values[i] - b.values[i]);
    if (!(difference <= largest)) largest = difference;  // NaN stays
  }
  return largest;
}

inline Dense noise(int m, int n, bool complex, std::uint64_t seed) {
  Noise source(seed);
  Dense matrix(m, n);
  for (Value& value : matrix.values) {
    const double real = source.next(), imaginary = source.next();
    value = {real, complex ? imaginary : 0};
  }
  return matrix;
}

/// A unitary matrix, by Gram and Schmidt's method, twice.
inline Dense unitary(int n, bool complex, std::uint64_t seed) {
  Dense q = noise(n, n, complex, seed);
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < 2 * j; ++k) {
      Value product = 0;
      for (int i = 0; i < n; ++i) product += std::conj(q(i, k % j)) * q(i, j);
      for (int i = 0; i < n; ++i) q(i, j) -= product * q(i, k % j);
    }
    double squares = 0;
    for (int i = 0; i < n; ++i) squares += std::norm(q(i, j));
    for (int i = 0; i < n; ++i) q(i, j) /= std::sqrt(squares);
  }
  return q;
}

template <class Number>
inline constexpr bool is_complex = !std::is_floating_point_v<Number>;

template <class Number>
struct RealOf {
  using Type = Number;
};
template <class Float>
struct RealOf<std::complex<Float>> {
  using Type = Float;
};

/// The matrix in a type, with `leading` elements from column to column. What lies between the columns is not a number.
template <class Number>
std::vector<Number> stored(const Dense& matrix, int leading) {
  std::vector<Number> values(static_cast<std::size_t>(leading) * static_cast<std::size_t>(matrix.columns),
                             Number(std::numeric_limits<typename RealOf<Number>::Type>::quiet_NaN()));
  for (int j = 0; j < matrix.columns; ++j)
    for (int i = 0; i < matrix.rows; ++i) {
      Number& value =
          values[static_cast<std::size_t>(j) * static_cast<std::size_t>(leading) + static_cast<std::size_t>(i)];
      if constexpr (is_complex<Number>)
        value = Number(matrix(i, j));
      else
        value = static_cast<Number>(matrix(i, j).real());
    }
  return values;
}

/// The other way round.
template <class Number>
Dense loaded(const std::vector<Number>& values, int m, int n, int leading, std::size_t from = 0) {
  Dense matrix(m, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      matrix(i, j) = Value(
          values[from + static_cast<std::size_t>(j) * static_cast<std::size_t>(leading) + static_cast<std::size_t>(i)]);
  return matrix;
}

template <class Number>
inline constexpr double accuracy = sizeof(typename RealOf<Number>::Type) == 4 ? 2e-4 : 1e-11;

/// Calls `body` with a number of each type and the letter of its functions.
template <class Body>
void for_each_type(const Body& body) {
  body(float{}, 'S');
  body(double{}, 'D');
  body(std::complex<float>{}, 'C');
  body(std::complex<double>{}, 'Z');
}

/// "cublasStrsm_v2" of "cublas?trsm_v2".
inline std::string name_for(std::string name, char letter) {
  name[name.find('?')] = letter;
  return name;
}

/// Addresses of the matrices of a batch that lie one after another.
template <class Number>
std::vector<Number*> addresses(Number* first, std::size_t each, int batch) {
  std::vector<Number*> list;
  for (int i = 0; i < batch; ++i) list.push_back(first + each * static_cast<std::size_t>(i));
  return list;
}

}  // namespace warpwalk::libraries_test
