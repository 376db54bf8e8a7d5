// The mathematical functions of our CUDA header on the simulated GPU, compared with the C library's in long double. The
// bounds are those of the CUDA programming guide ("Mathematical functions"), in units in the last place.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/run/cuda_header/clang_run.h"

namespace warpwalk::testing {
namespace {

using Wide = long double;
enum class Spread : std::uint8_t { linear, geometric };

struct Row {
  const char* name;  ///< of the double function; the float one has an f at its end
  Wide (*reference)(Wide, Wide);
  Spread spread;
  double low, high;  ///< x; geometric: positive and negative numbers between these magnitudes
  double float_bound, double_bound;
  bool two = false;  ///< takes y, between -9 and 9
  bool negative = true;
  bool check_float = true;
};

constexpr Spread linear = Spread::linear, geometric = Spread::geometric;
// clang-format off
const Row rows[] = {
    {"exp", [](Wide x, Wide) { return std::exp(x); }, linear, -87, 88, 1, 1},
    {"exp2", [](Wide x, Wide) { return std::exp2(x); }, linear, -125, 127, 2, 1},
    {"exp10", [](Wide x, Wide) { return std::pow(Wide{10}, x); }, linear, -37, 38, 2, 1},
    {"expm1", [](Wide x, Wide) { return std::expm1(x); }, geometric, 1e-9, 80, 1, 1},
    {"log", [](Wide x, Wide) { return std::log(x); }, geometric, 1e-37, 1e37, 1, 1, false, false},
    {"log", [](Wide x, Wide) { return std::log(x); }, linear, 0.5, 2, 1, 1},
    {"log2", [](Wide x, Wide) { return std::log2(x); }, linear, 0.5, 2, 1, 1},
    {"log10", [](Wide x, Wide) { return std::log10(x); }, geometric, 1e-30, 1e30, 2, 1, false, false},
    {"log1p", [](Wide x, Wide) { return std::log1p(x); }, linear, -0.99, 5, 1, 1},
    {"sin", [](Wide x, Wide) { return std::sin(x); }, linear, -100, 100, 2, 2},
    {"sin", [](Wide x, Wide) { return std::sin(x); }, geometric, 1e3, 1e37, 2, 2},
    {"cos", [](Wide x, Wide) { return std::cos(x); }, linear, -100, 100, 2, 2},
    {"cos", [](Wide x, Wide) { return std::cos(x); }, geometric, 1e3, 1e37, 2, 2},
    {"tan", [](Wide x, Wide) { return std::tan(x); }, linear, -50, 50, 4, 2},
    {"asin", [](Wide x, Wide) { return std::asin(x); }, linear, -1, 1, 2, 2},
    {"acos", [](Wide x, Wide) { return std::acos(x); }, linear, -1, 1, 2, 2},
    {"atan", [](Wide x, Wide) { return std::atan(x); }, geometric, 1e-6, 1e6, 2, 2},
    {"atan2", [](Wide x, Wide y) { return std::atan2(x, y); }, linear, -9, 9, 3, 2, true},
    {"sinh", [](Wide x, Wide) { return std::sinh(x); }, geometric, 1e-5, 85, 3, 2},
    {"cosh", [](Wide x, Wide) { return std::cosh(x); }, linear, -85, 85, 2, 1.5},
    {"tanh", [](Wide x, Wide) { return std::tanh(x); }, linear, -9, 9, 2, 2},
    {"asinh", [](Wide x, Wide) { return std::asinh(x); }, geometric, 1e-5, 1e9, 3, 3},
    {"acosh", [](Wide x, Wide) { return std::acosh(x); }, geometric, 1.0001, 1e9, 4, 3, false, false},
    {"atanh", [](Wide x, Wide) { return std::atanh(x); }, linear, -0.999, 0.999, 3, 2},
    {"sqrt", [](Wide x, Wide) { return std::sqrt(x); }, geometric, 1e-30, 1e30, 0.5, 0.5, false, false},
    {"rsqrt", [](Wide x, Wide) { return 1 / std::sqrt(x); }, geometric, 1e-30, 1e30, 2, 1, false, false},
    {"cbrt", [](Wide x, Wide) { return std::cbrt(x); }, geometric, 1e-30, 1e30, 1, 1},
    {"hypot", [](Wide x, Wide y) { return std::hypot(x, y); }, linear, -9, 9, 3, 2, true},
    {"fmod", [](Wide x, Wide y) { return std::fmod(x, y); }, geometric, 1e-3, 1e20, 0, 0, true},
    {"pow", [](Wide x, Wide y) { return std::pow(x, y); }, geometric, 1e-4, 1e4, 4, 2, true, false},
    {"erf", [](Wide x, Wide) { return std::erf(x); }, linear, -4, 4, 2, 2},
    {"erfc", [](Wide x, Wide) { return std::erfc(x); }, linear, -4, 9, 4, 5},
    {"tgamma", [](Wide x, Wide) { return std::tgamma(x); }, linear, 0.1, 30, 5, 10},
    {"lgamma", [](Wide x, Wide) { return std::lgamma(x); }, linear, 0.1, 100, 6, 6},
};
// clang-format on
constexpr int values = 512;

std::string kernel(bool single) {
  const std::string type = single ? "float" : "double";
  std::string source = fmt::format(
      "extern \"C\" __global__ void k({0}* x, {0}* y, {0}* results) {{\n"
      "  const int i = threadIdx.x + blockIdx.x * blockDim.x, n = {1};\n"
      "  const double u = i * 0.61803398874989485 - floor(i * 0.61803398874989485), v = (i + 0.5) / n;\n"
      "  y[i] = ({0})(18.0 * u - 9.0);\n"
      "  const {0} b = y[i];\n"
      "  {0} a;\n",
      type, values);
  for (std::size_t r = 0; r < std::size(rows); ++r) {
    const Row& row = rows[r];
    const std::string from =
        row.spread == linear ? fmt::format("{} + ({} - {}) * v", row.low, row.high, row.low)
                             : fmt::format("exp(log({0}) + (log({1}) - log({0})) * v) * ({2} && (i & 1) ? -1.0 : 1.0)",
                                           row.low, row.high, row.negative ? 1 : 0);
    source += fmt::format("  x[{0} * n + i] = a = ({1})({2});\n  results[{0} * n + i] = {3}{4}(a{5});\n", r, type, from,
                          row.name, single ? "f" : "", row.two ? ", b" : "");
  }
  return source + "}\n";
}

template <class T>
double distance(T got, Wide want) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : 1e30;
  const T near = static_cast<T>(want);
  if (std::isinf(near) || std::isinf(got)) return near == got ? 0 : 1e30;
  int exponent = 0;
  std::frexp(want, &exponent);
  const int lowest = std::numeric_limits<T>::min_exponent;
  const Wide unit = std::ldexp(Wide{1}, std::max(exponent, lowest) - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs(static_cast<Wide>(got) - want) / unit);
}

template <class T>
void compare(bool single) {
  if (!clang_is_installed()) GTEST_SKIP() << "clang with the NVPTX back end is not installed";
  const std::size_t n = std::size(rows) * values;
  const std::string type = single ? "f32" : "f64";
  const auto ran = run_with_clang(kernel(single), fmt::format("kernel k\ngrid {0}\nblock 64\nx: {1}[{2}] 0\n"
                                                              "y: {1}[{3}] 0\nr: {1}[{2}] 0\n",
                                                              values / 64, type, n, values));
  ASSERT_TRUE(ran);
  const auto x = elements<T>(*ran, "x"), y = elements<T>(*ran, "y"), got = elements<T>(*ran, "r");
  ASSERT_EQ(got.size(), n);
  for (std::size_t r = 0; r < std::size(rows); ++r) {
    const Row& row = rows[r];
    double worst = 0;
    T at = 0, with = 0, gave = 0;
    for (std::size_t i = 0; i < values; ++i) {
      const T a = x[r * values + i];
      const double d = distance(got[r * values + i], row.reference(a, y[i]));
      if (d > worst) worst = d, at = a, with = y[i], gave = got[r * values + i];
    }
    const double bound = single ? row.float_bound : row.double_bound;
    // Half a unit of the reference's own rounding is below these bounds' precision.
    EXPECT_LE(worst, std::max(bound, 0.5) + 0.01)
        << fmt::format("{}{}({:.17g}, {:.17g}) = {:.17g}", row.name, single ? "f" : "", at, with, gave);
    if (std::getenv("WARPWALK_SHOW_ERRORS") != nullptr) fmt::print("{}{} {:.3f}\n", row.name, single ? "f" : "", worst);
  }
}

TEST(CudaHeader, FunctionsOfFloatAreWithinCudasBounds) { compare<float>(true); }
TEST(CudaHeader, FunctionsOfDoubleAreWithinCudasBounds) { compare<double>(false); }

}  // namespace
}  // namespace warpwalk::testing
