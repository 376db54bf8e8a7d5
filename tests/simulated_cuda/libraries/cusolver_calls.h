#pragma once

// What the tests of cuSOLVER share: its functions by name and type, and matrices in its form.

#include <array>
#include <cstring>
#include <functional>

#include "called_library.h"
#include "dense.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test {

enum Status : int { success = 0, not_initialized = 1, invalid_value = 3 };
enum : int { lower_fill = 0, upper_fill = 1, without_vectors = 0, with_vectors = 1 };

inline const CalledLibrary& cusolver() {
  static const CalledLibrary& library = *new CalledLibrary{"libcusolver.so.12", "libcusolver.so.11"};
  return library;
}

inline void* solver_handle() {
  static void* const handle = [] {
    void* made = nullptr;
    cusolver().call("cusolverDnCreate", &made);
    return made;
  }();
  return handle;
}

template <class Number>
using Real = typename RealOf<Number>::Type;

/// cudaDataType
template <class Number>
int data_type() {
  return (is_complex<Number> ? 4 : 0) + (sizeof(Real<Number>) == 8 ? 1 : 0);
}

template <class Number>
std::vector<Number> filled(std::size_t count) {
  return std::vector<Number>(count, Number(std::numeric_limits<Real<Number>>::quiet_NaN()));
}

/// Calls a function of a type: "cusolverDn?potrf".
template <class... Arguments>
int call(const char* name, char letter, Arguments... arguments) {
  return cusolver().call(name_for(name, letter).c_str(), solver_handle(), arguments...);
}
/// The same of a name that differs for complex numbers.
template <class... Arguments>
int call_either(const char* real_name, const char* complex_name, char letter, Arguments... arguments) {
  return call(letter == 'C' || letter == 'Z' ? complex_name : real_name, letter, arguments...);
}

/// A matrix with the other triangle not a number.
inline Dense one_triangle(Dense a, int fill) {
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      if (fill == lower_fill ? i < j : i > j) a(i, j) = std::numeric_limits<double>::quiet_NaN();
  return a;
}
inline Dense triangle_of(Dense a, int fill) {
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      if (fill == lower_fill ? i < j : i > j) a(i, j) = 0;
  return a;
}
inline Dense diagonal(const std::vector<double>& values, int rows, int columns) {
  Dense d(rows, columns);
  for (std::size_t i = 0; i < values.size(); ++i) d(static_cast<int>(i), static_cast<int>(i)) = values[i];
  return d;
}
/// The largest difference from the expected values.
template <class Float>
double difference(const std::vector<Float>& values, const std::vector<double>& expected) {
  double largest = values.size() < expected.size() ? 1e30 : 0;
  for (std::size_t i = 0; i < std::min(values.size(), expected.size()); ++i) {
    const double apart = std::abs(static_cast<double>(values[i]) - expected[i]);
    if (!(apart <= largest)) largest = apart;
  }
  return largest;
}

}  // namespace warpwalk::libraries_test
