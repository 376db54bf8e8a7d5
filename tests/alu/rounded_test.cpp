// Directed rounding in software against the host's rounding modes, on all classes of operands.
#include "core/gpu/alu/floating/rounded.h"

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::gpu::alu {
namespace {

template <class T>
using Operands = std::array<T, 3>;

// Runs an operation in a rounding mode of the host. The operands are volatile, so that it is not moved out of the mode.
template <class T, class Operation>
T in_mode(int mode, const Operands<T>& x, Operation operation) {
  volatile T a = x[0], b = x[1], c = x[2];
  std::fesetround(mode);
  volatile T result = operation(T{a}, T{b}, T{c});
  std::fesetround(FE_TONEAREST);
  return result;
}

// Zeros, ones, subnormals, the largest and smallest numbers, infinities and NaN, with their neighbors.
template <class T>
std::vector<T> special_numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers;
  for (const T x : {T{0}, T{1}, T{3}, T{0.1}, Limits::min(), Limits::denorm_min(), Limits::max(), Limits::epsilon(),
                    std::sqrt(Limits::min()), std::sqrt(Limits::max()), Limits::infinity()})
    for (const T near : {x, std::nextafter(x, T{0}), std::nextafter(x, Limits::infinity())})
      for (const T sign : {T{1}, T{-1}}) numbers.push_back(sign * near);
  numbers.push_back(Limits::quiet_NaN());
  return numbers;
}

template <class T>
class OperandMaker {
 public:
  Operands<T> next() {
    Operands<T> x;
    for (T& one : x) one = number();
    // Close to cancellation, as the last operand of a fused multiply-add or a sum.
    if (engine_() % 4 == 0)
      x[2] = -x[0] * x[1] * (1 + static_cast<T>(engine_() % 5) * std::numeric_limits<T>::epsilon());
    if (engine_() % 8 == 0) x[1] = std::nextafter(-x[0], number());
    return x;
  }

 private:
  T number() {
    const auto bits = static_cast<BitsOf<T>>(engine_());
    switch (engine_() % 4) {
      case 0: return special_[engine_() % special_.size()];
      case 1: return std::bit_cast<T>(bits);                                  // any exponent
      case 2: return static_cast<T>(static_cast<std::int32_t>(bits % 4096));  // exact results
      default: return std::ldexp(std::bit_cast<T>(BitsOf<T>(bits % (BitsOf<T>{1} << 20))), static_cast<int>(bits % 64));
    }
  }
  std::mt19937_64 engine_{7};
  std::vector<T> special_ = special_numbers<T>();
};

template <Toward toward, class T>
void expect_as_hardware(int mode, int tries) {
  OperandMaker<T> operands;
  const auto check = [&](const char* name, const Operands<T>& x, T own, auto operation) {
    const T expected = in_mode(mode, x, operation);
    if (own != own && expected != expected) return true;
    EXPECT_EQ(std::bit_cast<BitsOf<T>>(own), std::bit_cast<BitsOf<T>>(expected))
        << name << " of " << x[0] << ", " << x[1] << ", " << x[2] << ": " << own << " and " << expected;
    return std::bit_cast<BitsOf<T>>(own) == std::bit_cast<BitsOf<T>>(expected);
  };
  bool same = true;
  for (int i = 0; i < tries && same; ++i) {
    const Operands<T> x = operands.next();
    same = check("sum", x, add_rounded<toward>(x[0], x[1]), [](T a, T b, T) { return a + b; }) &&
           check("product", x, multiply_rounded<toward>(x[0], x[1]), [](T a, T b, T) { return a * b; }) &&
           check("quotient", x, divide_rounded<toward>(x[0], x[1]), [](T a, T b, T) { return a / b; }) &&
           check("root", x, root_rounded<toward>(x[0]), [](T a, T, T) { return std::sqrt(a); }) &&
           check("fused", x, fused_rounded<toward>(x[0], x[1], x[2]), [](T a, T b, T c) { return std::fma(a, b, c); });
  }
}

template <class T>
void expect_all_modes(int tries) {
  expect_as_hardware<Toward::zero, T>(FE_TOWARDZERO, tries);
  expect_as_hardware<Toward::down, T>(FE_DOWNWARD, tries);
  expect_as_hardware<Toward::up, T>(FE_UPWARD, tries);
}

TEST(RoundedInSoftware, F32IsAsTheHostsModes) { expect_all_modes<float>(300'000); }
TEST(RoundedInSoftware, F64IsAsTheHostsModes) { expect_all_modes<double>(300'000); }

}  // namespace
}  // namespace warpwalk::gpu::alu
