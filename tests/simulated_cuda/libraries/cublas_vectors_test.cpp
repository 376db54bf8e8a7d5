// cuBLAS: operations on vectors and products with a vector, against double precision.
#include <functional>
#include <string>

#include "matrix_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test {
namespace {

/// A vector of n numbers whose elements are `step` apart; a negative one counts from the end.
struct HostVector {
  HostMatrix numbers;
  long long n = 0, step = 1;

  HostVector(int type, long long n_, long long step_, Noise& noise)
      : numbers(type, n_ * std::abs(step_), 1, noise, false), n(n_), step(step_) {}
  long long place(long long i) const { return step > 0 ? i * step : (n - 1 - i) * -step; }
  Complex at(long long i) const { return numbers.at(place(i), 0); }
  void set(long long i, Complex value) { numbers.set(place(i), 0, value); }
};

/// The letters of the types in the names of functions.
struct LetterType {
  const char* letter;
  int type;
};
constexpr LetterType letter_types[] = {{"S", f32}, {"D", f64}, {"C", c32}, {"Z", c64}};

std::string name_of(const std::string& before, const LetterType& type, const std::string& after) {
  return before + type.letter + after;
}
int real_type(int type) { return type == c32 ? f32 : type == c64 ? f64 : type; }
double precision_of(int type) { return real_type(type) == f32 ? 2e-6 : 1e-14; }

/// Calls a function for two vectors and compares both with what `change` makes of them.
void check_two_vectors(const std::string& function, int type,
                       const std::function<int(void*, int, void*, int, int)>& call,
                       const std::function<void(Complex& x, Complex& y)>& change) {
  for (const auto& [n, x_step, y_step] : {std::array{1, 1, 1}, {300, 1, 1}, {57, 2, -3}, {0, 1, 1}}) {
    SCOPED_TRACE(function + " " + std::to_string(n));
    Noise noise(3);
    HostVector x(type, n, x_step, noise), y(type, n, y_step, noise), new_x = x, new_y = y;
    const OnDevice<std::uint8_t> at_x(x.numbers.bytes), at_y(y.numbers.bytes);
    ASSERT_EQ(call(at_x.get(), x_step, at_y.get(), y_step, n), 0);
    for (int i = 0; i < n; ++i) {
      Complex of_x = x.at(i), of_y = y.at(i);
      change(of_x, of_y);
      new_x.set(i, of_x);
      new_y.set(i, of_y);
    }
    x.numbers.bytes = at_x.values();
    y.numbers.bytes = at_y.values();
    EXPECT_LE(difference(x.numbers, new_x.numbers), precision_of(type));
    EXPECT_LE(difference(y.numbers, new_y.numbers), precision_of(type));
  }
}

TEST(CublasVectors, AxpyCopySwapRotate) {
  for (const LetterType& type : letter_types) {
    const Complex factor = is_complex(type.type) ? Complex(0.5, -0.25) : Complex(0.5);
    const HostScalar alpha(type.type, factor), cosine(real_type(type.type), 0.6), sine(type.type, factor);
    check_two_vectors(
        name_of("cublas", type, "axpy_v2"), type.type,
        [&](void* x, int x_step, void* y, int y_step, int n) {
          return cublas().call(name_of("cublas", type, "axpy_v2").c_str(), blas_handle(), n,
                               static_cast<const void*>(alpha.bytes), x, x_step, y, y_step);
        },
        [&](const Complex& x, Complex& y) { y += factor * x; });
    for (const bool swaps : {false, true})
      check_two_vectors(
          swaps ? "swap" : "copy", type.type,
          [&](void* x, int x_step, void* y, int y_step, int n) {
            return cublas().call(name_of("cublas", type, swaps ? "swap_v2" : "copy_v2").c_str(), blas_handle(), n, x,
                                 x_step, y, y_step);
          },
          [&](Complex& x, Complex& y) {
            const Complex before = y;
            y = x;
            if (swaps) x = before;
          });
    check_two_vectors(
        "rot", type.type,
        [&](void* x, int x_step, void* y, int y_step, int n) {
          return cublas().call(name_of("cublas", type, "rot_v2").c_str(), blas_handle(), n, x, x_step, y, y_step,
                               static_cast<const void*>(cosine.bytes), static_cast<const void*>(sine.bytes));
        },
        [&](Complex& x, Complex& y) {
          const Complex before = x;
          x = 0.6 * x + factor * y;
          y = 0.6 * y - std::conj(factor) * before;
        });
  }
}

TEST(CublasVectors, Scal) {
  for (const char* const name :
       {"cublasSscal_v2", "cublasDscal_v2", "cublasCscal_v2", "cublasZscal_v2", "cublasCsscal_v2", "cublasZdscal_v2"}) {
    const std::string text = name;
    const int type = text.find("Ss") == 6 ? f32 : text.find("Ds") == 6 ? f64 : text[6] == 'C' ? c32 : c64;
    const bool complex_factor = is_complex(type) && text.size() == 14;
    const Complex factor = complex_factor ? Complex(0.5, 2) : Complex(0.5);
    Noise noise(3);
    HostVector x(type, 70, 2, noise), expected = x;
    for (int i = 0; i < 70; ++i) expected.set(i, factor * x.at(i));
    const OnDevice<std::uint8_t> at_x(x.numbers.bytes);
    const HostScalar alpha(complex_factor ? type : real_type(type), factor);
    ASSERT_EQ(cublas().call(name, blas_handle(), 70, static_cast<const void*>(alpha.bytes), at_x.get(), 2), 0);
    x.numbers.bytes = at_x.values();
    EXPECT_LE(difference(x.numbers, expected.numbers), precision_of(type)) << name;
  }
}

/// Calls with the result on the host, then on the device.
Complex result_of(int type, const std::function<int(void*)>& call) {
  std::vector<std::uint8_t> result(16);
  EXPECT_EQ(call(result.data()), 0);
  const OnDevice<std::uint8_t> on_device(std::vector<std::uint8_t>(16));
  cublas().call("cublasSetPointerMode_v2", blas_handle(), 1);
  EXPECT_EQ(call(on_device.get()), 0);
  cublas().call("cublasSetPointerMode_v2", blas_handle(), 0);
  const Complex value = get_number(result.data(), type);
  EXPECT_EQ(value, get_number(on_device.values().data(), type));
  return value;
}

TEST(CublasVectors, Dot) {
  struct DotCase {
    const char* name;
    int type;
    bool conjugates;
  };
  for (const DotCase& of : {DotCase{"cublasSdot_v2", f32, false},
                            {"cublasDdot_v2", f64, false},
                            {"cublasCdotu_v2", c32, false},
                            {"cublasCdotc_v2", c32, true},
                            {"cublasZdotu_v2", c64, false},
                            {"cublasZdotc_v2", c64, true}})
    for (const auto& [n, x_step, y_step] : {std::array{1, 1, 1}, {2000, 1, 1}, {33, 2, -1}, {0, 1, 1}}) {
      Noise noise(1);
      const HostVector x(of.type, n, x_step, noise), y(of.type, n, y_step, noise);
      const OnDevice<std::uint8_t> at_x(x.numbers.bytes), at_y(y.numbers.bytes);
      Complex expected = 0;
      for (int i = 0; i < n; ++i) expected += (of.conjugates ? std::conj(x.at(i)) : x.at(i)) * y.at(i);
      const Complex found = result_of(of.type, [&](void* result) {
        return cublas().call(of.name, blas_handle(), n, at_x.get(), x_step, at_y.get(), y_step, result);
      });
      EXPECT_LE(std::abs(found - expected), 50 * precision_of(of.type)) << of.name << " " << n;
    }
}

TEST(CublasVectors, DotEx) {
  for (const int type : {f16, bf16, f32}) {
    Noise noise(1);
    const HostVector x(type, 100, 1, noise), y(type, 100, 1, noise);
    const OnDevice<std::uint8_t> at_x(x.numbers.bytes), at_y(y.numbers.bytes);
    Complex expected = 0;
    for (int i = 0; i < 100; ++i) expected += x.at(i) * y.at(i);
    const Complex found = result_of(type, [&](void* result) {
      return cublas().call("cublasDotEx", blas_handle(), 100, static_cast<const void*>(at_x.get()), type, 1,
                           static_cast<const void*>(at_y.get()), type, 1, result, type, f32);
    });
    EXPECT_LE(std::abs(found - expected), (type == f32   ? 1e-5
                                           : type == f16 ? 1e-3
                                                         : 8e-3) *
                                              std::abs(expected))
        << type;
  }
}

TEST(CublasVectors, SumsNormsAndExtremes) {
  for (const LetterType& type : letter_types) {
    const std::string prefix = type.type == c32   ? "cublasSc"
                               : type.type == c64 ? "cublasDz"
                                                  : name_of("cublas", type, "");
    const int real = real_type(type.type);
    Noise noise(17);
    HostVector x(type.type, 1500, 2, noise);
    x.set(700, 3);
    x.set(900, -3);  // as large as the one before
    x.set(33, 0);
    const OnDevice<std::uint8_t> at_x(x.numbers.bytes);
    double sum = 0, squares = 0;
    for (int i = 0; i < 1500; ++i) {
      sum += std::abs(x.at(i).real()) + std::abs(x.at(i).imag());
      squares += std::norm(x.at(i));
    }
    const auto reduce = [&](const std::string& name, int result_type) {
      return result_of(
                 result_type,
                 [&](void* result) { return cublas().call(name.c_str(), blas_handle(), 1500, at_x.get(), 2, result); })
          .real();
    };
    EXPECT_NEAR(reduce(prefix + "asum_v2", real), sum, sum * precision_of(type.type) * 2);
    EXPECT_NEAR(reduce(prefix + "nrm2_v2", real), std::sqrt(squares), std::sqrt(squares) * precision_of(type.type));
    const std::string letter(1, static_cast<char>(std::tolower(type.letter[0])));
    EXPECT_EQ(reduce("cublasI" + letter + "amax_v2", s32), 701);
    EXPECT_EQ(reduce("cublasI" + letter + "amin_v2", s32), 34);
  }
}

TEST(CublasVectors, NormsDoNotOverflow) {
  const OnDevice<float> x({3e30F, 4e30F});
  float result = 0;
  ASSERT_EQ(cublas().call("cublasSnrm2_v2", blas_handle(), 2, x.get(), 1, &result), 0);
  EXPECT_NEAR(result, 5e30, 5e24);
}

TEST(CublasVectors, Rotations) {
  double a = 3, b = -4, c = 0, s = 0;
  ASSERT_EQ(cublas().call("cublasDrotg_v2", blas_handle(), &a, &b, &c, &s), 0);
  EXPECT_NEAR(c * 3 + s * -4, a, 1e-14);
  EXPECT_NEAR(c * -4 - s * 3, 0, 1e-14);
  EXPECT_NEAR(c * c + s * s, 1, 1e-14);
  Complex x(1, 2), y(-2, 0.5), sine;
  const Complex before_x = x, before_y = y;
  double cosine = 0;
  ASSERT_EQ(cublas().call("cublasZrotg_v2", blas_handle(), &x, &y, &cosine, &sine), 0);
  EXPECT_LE(std::abs(cosine * before_x + sine * before_y - x), 1e-14);
  EXPECT_LE(std::abs(cosine * before_y - std::conj(sine) * before_x), 1e-14);
  double d1 = 2, d2 = 3, x1 = 0.5, form[5] = {};
  const double y1 = 0.75;
  ASSERT_EQ(cublas().call("cublasDrotmg_v2", blas_handle(), &d1, &d2, &x1, &y1, form), 0);
  const double h21 = form[0] == 1 ? -1 : form[2], h22 = form[0] == 0 ? 1 : form[4];
  EXPECT_NEAR(h21 * 0.5 + h22 * y1, 0, 1e-14);
  const OnDevice<double> at_x({0.5, 1.0}), at_y({0.75, -1.0});
  ASSERT_EQ(cublas().call("cublasDrotm_v2", blas_handle(), 2, at_x.get(), 1, at_y.get(), 1, form), 0);
  EXPECT_NEAR(at_y.values()[0], 0, 1e-14);
  EXPECT_NEAR(at_x.values()[0], x1, 1e-14);
}

TEST(CublasVectors, Gemv) {
  for (const LetterType& type : letter_types)
    for (int operation = 0; operation < 3; ++operation)
      for (const auto& [m, n] : {std::array{1, 1}, {70, 33}, {5, 200}}) {
        Noise noise(3);
        const HostMatrix a(type.type, m, n, noise, false, 3);
        const HostVector x(type.type, operation == 0 ? n : m, 2, noise);
        HostVector y(type.type, operation == 0 ? m : n, -1, noise), expected = y;
        const HostScalar alpha(type.type, 2), beta(type.type, 0.5);
        const OnDevice<std::uint8_t> at_a(a.bytes), at_x(x.numbers.bytes), at_y(y.numbers.bytes);
        ASSERT_EQ(cublas().call(name_of("cublas", type, "gemv_v2").c_str(), blas_handle(), operation, m, n,
                                static_cast<const void*>(alpha.bytes), at_a.get(), static_cast<int>(a.leading),
                                at_x.get(), 2, static_cast<const void*>(beta.bytes), at_y.get(), -1),
                  0);
        for (long long i = 0; i < y.n; ++i) {
          Complex sum = 0;
          for (long long j = 0; j < x.n; ++j) sum += a.of(operation, i, j) * x.at(j);
          expected.set(i, 2.0 * sum + 0.5 * y.at(i));
        }
        y.numbers.bytes = at_y.values();
        EXPECT_LE(difference(y.numbers, expected.numbers), 2 * precision_of(type.type))
            << type.letter << operation << m;
      }
}

}  // namespace
}  // namespace warpwalk::libraries_test
