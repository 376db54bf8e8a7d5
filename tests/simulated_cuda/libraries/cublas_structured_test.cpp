// cuBLAS: symmetric, Hermitian and triangular matrices, against sums in double precision.
#include <functional>
#include <string>

#include "matrix_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test {
namespace {

struct StructuredType {
  const char* letter;
  int type;
};
constexpr StructuredType structured_types[] = {{"S", f32}, {"D", f64}, {"C", c32}, {"Z", c64}};

std::string function_of(const StructuredType& type, const std::string& name) {
  return std::string("cublas") + type.letter + name + "_v2";
}
double tolerance_of(int type) { return type == f32 || type == c32 ? 3e-6 : 1e-14; }

/// Element (i, j) of a symmetric or Hermitian matrix of which a triangle is stored: fill 0 lower, 1 upper.
Complex mirrored(const HostMatrix& a, int fill, bool is_hermitian, long long i, long long j) {
  const bool stored = fill == 0 ? i >= j : i <= j;
  if (is_hermitian && i == j) return a.at(i, j).real();
  if (stored) return a.at(i, j);
  return is_hermitian ? std::conj(a.at(j, i)) : a.at(j, i);
}

/// Element (i, j) of op(A) of a triangular matrix.
Complex triangular(const HostMatrix& a, int fill, int operation, bool is_unit, long long i, long long j) {
  const long long row = operation == 0 ? i : j, column = operation == 0 ? j : i;
  if (row == column && is_unit) return 1;
  if (fill == 0 ? row < column : row > column) return 0;
  return operation == 2 ? std::conj(a.at(row, column)) : a.at(row, column);
}

using Element = std::function<Complex(long long, long long)>;

/// C(i, j) = alpha * the sum of a(i, l) * b(l, j) + beta * C(i, j), where `in_part` is true.
HostMatrix product_of(const HostMatrix& c, long long k, Complex alpha, const Element& a, const Element& b, Complex beta,
                      const std::function<bool(long long, long long)>& in_part) {
  HostMatrix result = c;
  for (long long j = 0; j < c.columns; ++j)
    for (long long i = 0; i < c.rows; ++i) {
      if (!in_part(i, j)) continue;
      Complex sum = 0;
      for (long long l = 0; l < k; ++l) sum += a(i, l) * b(l, j);
      result.set(i, j, alpha * sum + beta * c.at(i, j));
    }
  return result;
}
bool everywhere(long long, long long) { return true; }

const void* bytes_of(const HostScalar& scalar) { return scalar.bytes; }

TEST(CublasStructured, SymmAndHemm) {
  constexpr int m = 21, n = 35;
  for (const StructuredType& type : structured_types)
    for (const bool is_hermitian : {false, true})
      for (int side = 0; side < 2; ++side)
        for (int fill = 0; fill < 2; ++fill) {
          if (is_hermitian && !is_complex(type.type)) continue;
          Noise noise(2);
          const long long order = side == 0 ? m : n;
          const HostMatrix a(type.type, order, order, noise, false, 2), b(type.type, m, n, noise, false, 1);
          HostMatrix c(type.type, m, n, noise, false);
          const OnDevice<std::uint8_t> at_a(a.bytes), at_b(b.bytes), at_c(c.bytes);
          const HostScalar alpha(type.type, 2), beta(type.type, 0.5);
          ASSERT_EQ(cublas().call(function_of(type, is_hermitian ? "hemm" : "symm").c_str(), blas_handle(), side, fill,
                                  m, n, bytes_of(alpha), at_a.get(), static_cast<int>(a.leading), at_b.get(),
                                  static_cast<int>(b.leading), bytes_of(beta), at_c.get(), m),
                    0);
          const Element of_a = [&](long long i, long long j) { return mirrored(a, fill, is_hermitian, i, j); };
          const Element of_b = [&](long long i, long long j) { return b.at(i, j); };
          const HostMatrix expected =
              product_of(c, order, 2, side == 0 ? of_a : of_b, side == 0 ? of_b : of_a, 0.5, everywhere);
          c.bytes = at_c.values();
          EXPECT_LE(difference(c, expected), tolerance_of(type.type)) << type.letter << is_hermitian << side << fill;
        }
}

TEST(CublasStructured, SymvAndHemv) {
  constexpr int n = 37;
  for (const StructuredType& type : structured_types)
    for (const bool is_hermitian : {false, true})
      for (int fill = 0; fill < 2; ++fill) {
        if (is_hermitian && !is_complex(type.type)) continue;
        Noise noise(2);
        const HostMatrix a(type.type, n, n, noise, false, 2), x(type.type, n, 1, noise, false);
        HostMatrix y(type.type, n, 1, noise, false);
        const OnDevice<std::uint8_t> at_a(a.bytes), at_x(x.bytes), at_y(y.bytes);
        const HostScalar alpha(type.type, 2), beta(type.type, 0.5);
        ASSERT_EQ(cublas().call(function_of(type, is_hermitian ? "hemv" : "symv").c_str(), blas_handle(), fill, n,
                                bytes_of(alpha), at_a.get(), static_cast<int>(a.leading), at_x.get(), -1,
                                bytes_of(beta), at_y.get(), 1),
                  0);
        const HostMatrix expected = product_of(
            y, n, 2, [&](long long i, long long j) { return mirrored(a, fill, is_hermitian, i, j); },
            [&](long long i, long long) { return x.at(n - 1 - i, 0); }, 0.5, everywhere);
        y.bytes = at_y.values();
        EXPECT_LE(difference(y, expected), tolerance_of(type.type)) << type.letter << is_hermitian << fill;
      }
}

TEST(CublasStructured, RankUpdates) {
  constexpr int n = 35, k = 18;
  for (const StructuredType& type : structured_types)
    for (const bool is_hermitian : {false, true})
      for (const bool by_two : {false, true})
        for (int transposes = 0; transposes < 2; ++transposes)
          for (int fill = 0; fill < 2; ++fill) {
            if (is_hermitian && !is_complex(type.type)) continue;
            const int operation = transposes == 0 ? 0 : is_hermitian ? 2 : 1;
            Noise noise(2);
            const HostMatrix a(type.type, operation == 0 ? n : k, operation == 0 ? k : n, noise, false, 2);
            const HostMatrix b(type.type, a.rows, a.columns, noise, false, 2);
            HostMatrix c(type.type, n, n, noise, false);
            for (long long i = 0; i < n; ++i) c.set(i, i, c.at(i, i).real());
            const OnDevice<std::uint8_t> at_a(a.bytes), at_b(b.bytes), at_c(c.bytes);
            const int real = type.type == c32 ? f32 : f64;
            const Complex factor = by_two && is_complex(type.type) ? Complex(2, 1) : Complex(2);
            const HostScalar alpha(is_hermitian && !by_two ? real : type.type, factor);
            const HostScalar beta(is_hermitian ? real : type.type, 0.5);
            const std::string name = std::string(is_hermitian ? "her" : "syr") + (by_two ? "2k" : "k");
            const int leading = static_cast<int>(a.leading);
            ASSERT_EQ(by_two ? cublas().call(function_of(type, name).c_str(), blas_handle(), fill, operation, n, k,
                                             bytes_of(alpha), at_a.get(), leading, at_b.get(), leading, bytes_of(beta),
                                             at_c.get(), n)
                             : cublas().call(function_of(type, name).c_str(), blas_handle(), fill, operation, n, k,
                                             bytes_of(alpha), at_a.get(), leading, bytes_of(beta), at_c.get(), n),
                      0);
            const auto in_part = [&](long long i, long long j) { return fill == 0 ? i >= j : i <= j; };
            const auto row = [&](const HostMatrix& of) {
              return Element([&](long long i, long long l) { return of.of(operation, i, l); });
            };
            const auto column = [&](const HostMatrix& of) {
              return Element([&](long long l, long long j) {
                return is_hermitian ? std::conj(of.of(operation, j, l)) : of.of(operation, j, l);
              });
            };
            HostMatrix expected = product_of(c, k, factor, row(a), column(by_two ? b : a), 0.5, in_part);
            if (by_two)
              expected =
                  product_of(expected, k, is_hermitian ? std::conj(factor) : factor, row(b), column(a), 1, in_part);
            c.bytes = at_c.values();
            EXPECT_LE(difference(c, expected), tolerance_of(type.type)) << type.letter << name << operation << fill;
          }
}

TEST(CublasStructured, UpdatesByVectors) {
  constexpr int m = 19, n = 19;
  struct UpdateCase {
    const char* name;
    bool is_complex_only, conjugates, by_two, is_triangle;
  };
  for (const StructuredType& type : structured_types)
    for (const UpdateCase& of : {UpdateCase{"ger", false, false, false, false},
                                 {"geru", true, false, false, false},
                                 {"gerc", true, true, false, false},
                                 {"syr", false, false, false, true},
                                 {"her", true, true, false, true},
                                 {"syr2", false, false, true, true},
                                 {"her2", true, true, true, true}}) {
      if (of.is_complex_only != is_complex(type.type) && (of.is_complex_only || std::string(of.name) == "ger"))
        continue;
      Noise noise(2);
      const HostMatrix x(type.type, m, 1, noise, false), y(type.type, n, 1, noise, false);
      HostMatrix a(type.type, m, n, noise, false);
      for (long long i = 0; i < n; ++i) a.set(i, i, a.at(i, i).real());
      const OnDevice<std::uint8_t> at_x(x.bytes), at_y(y.bytes), at_a(a.bytes);
      const bool one_vector = of.is_triangle && !of.by_two;
      const HostScalar alpha(std::string(of.name) == "her" ? (type.type == c32 ? f32 : f64) : type.type, 2);
      const std::string name = function_of(type, of.name);
      int status = 0;
      if (one_vector)
        status = cublas().call(name.c_str(), blas_handle(), 1, n, bytes_of(alpha), at_x.get(), 1, at_a.get(), m);
      else if (of.is_triangle)
        status = cublas().call(name.c_str(), blas_handle(), 1, n, bytes_of(alpha), at_x.get(), 1, at_y.get(), 1,
                               at_a.get(), m);
      else
        status = cublas().call(name.c_str(), blas_handle(), m, n, bytes_of(alpha), at_x.get(), 1, at_y.get(), 1,
                               at_a.get(), m);
      ASSERT_EQ(status, 0) << name;
      const auto in_part = [&](long long i, long long j) { return !of.is_triangle || i <= j; };
      const auto row = [](const HostMatrix& v) { return Element([&](long long i, long long) { return v.at(i, 0); }); };
      const auto column = [&](const HostMatrix& v) {
        return Element([&](long long, long long j) { return of.conjugates ? std::conj(v.at(j, 0)) : v.at(j, 0); });
      };
      HostMatrix expected = product_of(a, 1, 2, row(x), column(one_vector ? x : y), 1, in_part);
      if (of.by_two) expected = product_of(expected, 1, 2, row(y), column(x), 1, in_part);
      a.bytes = at_a.values();
      EXPECT_LE(difference(a, expected), tolerance_of(type.type)) << name;
    }
}

TEST(CublasStructured, TrmmInAndOutOfPlace) {
  constexpr int m = 37, n = 21;
  for (const StructuredType& type : structured_types)
    for (int side = 0; side < 2; ++side)
      for (int fill = 0; fill < 2; ++fill)
        for (int operation = 0; operation < 3; ++operation) {
          const bool is_unit = operation == 1, in_place = (fill + operation) % 2 == 0;
          Noise noise(2);
          const long long order = side == 0 ? m : n;
          const HostMatrix a(type.type, order, order, noise, false, 2), b(type.type, m, n, noise, false);
          HostMatrix c(type.type, m, n, noise, false);
          const OnDevice<std::uint8_t> at_a(a.bytes), at_b(b.bytes), at_c(c.bytes);
          const HostScalar alpha(type.type, 2);
          ASSERT_EQ(cublas().call(function_of(type, "trmm").c_str(), blas_handle(), side, fill, operation,
                                  is_unit ? 1 : 0, m, n, bytes_of(alpha), at_a.get(), static_cast<int>(a.leading),
                                  at_b.get(), m, in_place ? at_b.get() : at_c.get(), m),
                    0);
          const Element of_a = [&](long long i, long long j) { return triangular(a, fill, operation, is_unit, i, j); };
          const Element of_b = [&](long long i, long long j) { return b.at(i, j); };
          const HostMatrix expected =
              product_of(c, order, 2, side == 0 ? of_a : of_b, side == 0 ? of_b : of_a, 0, everywhere);
          c.bytes = in_place ? at_b.values() : at_c.values();
          EXPECT_LE(difference(c, expected), tolerance_of(type.type)) << type.letter << side << fill << operation;
        }
}

TEST(CublasStructured, Trmv) {
  constexpr int n = 50;
  for (const StructuredType& type : structured_types)
    for (int fill = 0; fill < 2; ++fill)
      for (int operation = 0; operation < 3; ++operation) {
        Noise noise(2);
        const HostMatrix a(type.type, n, n, noise, false, 2);
        HostMatrix x(type.type, n, 1, noise, false);
        const OnDevice<std::uint8_t> at_a(a.bytes), at_x(x.bytes);
        ASSERT_EQ(cublas().call(function_of(type, "trmv").c_str(), blas_handle(), fill, operation, 0, n, at_a.get(),
                                static_cast<int>(a.leading), at_x.get(), 1),
                  0);
        const HostMatrix expected = product_of(
            x, n, 1, [&](long long i, long long j) { return triangular(a, fill, operation, false, i, j); },
            [&](long long i, long long) { return x.at(i, 0); }, 0, everywhere);
        x.bytes = at_x.values();
        EXPECT_LE(difference(x, expected), tolerance_of(type.type)) << type.letter << fill << operation;
      }
}

}  // namespace
}  // namespace warpwalk::libraries_test
