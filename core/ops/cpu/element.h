#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "core/ops/tensor/dtype.h"
#include "core/ops/tensor/error.h"

namespace warpwalk::ops {

/// The bits of an f16 (IEEE binary16) and of a bf16 (the upper half of an f32).
struct Half {
  std::uint16_t bits = 0;
};
struct BFloat {
  std::uint16_t bits = 0;
};

template <class T>
constexpr bool is_float_element = !std::is_integral_v<T>;
/// The type for computing with elements: float for f16 and bf16, rounded once at the end (PyTorch's opmath).
template <class T>
using MathOf = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat>, float, T>;
/// The type for accumulating sums and products: unsigned for integers, so that they wrap; double for all others.
template <class T>
using SumOf = std::conditional_t<is_float_element<T>, double, std::uint64_t>;

template <class T>
constexpr DType dtype_for() {
  if constexpr (std::is_same_v<T, Half>) return DType::f16;
  if constexpr (std::is_same_v<T, BFloat>) return DType::bf16;
  if constexpr (std::is_same_v<T, float>) return DType::f32;
  if constexpr (std::is_same_v<T, double>) return DType::f64;
  if constexpr (std::is_same_v<T, std::int32_t>) return DType::i32;
  return DType::i64;
}

/// Calls f(std::type_identity<T>) with the C++ type of a tensor's elements. Throws OpError for types that tensors do
/// not have.
template <class F>
auto with_element(DType dtype, F f) {
  switch (dtype) {
    case DType::f16: return f(std::type_identity<Half>{});
    case DType::bf16: return f(std::type_identity<BFloat>{});
    case DType::f32: return f(std::type_identity<float>{});
    case DType::f64: return f(std::type_identity<double>{});
    case DType::i32: return f(std::type_identity<std::int32_t>{});
    case DType::i64: return f(std::type_identity<std::int64_t>{});
    default:
      throw OpError(fmt::format("no op supports {} tensors: use f16, bf16, f32, f64, i32 or i64", name_of(dtype)));
  }
}

template <class T>
MathOf<T> widened(T element) {
  return element;
}

inline float widened(Half element) {
  // Shifted to a float's place the exponent is 112 too small, of subnormals as well.
  const float magnitude = std::bit_cast<float>(std::uint32_t{element.bits & 0x7fffu} << 13) * 0x1p112f;
  const std::uint32_t special = (element.bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0;
  const std::uint32_t sign = std::uint32_t{element.bits & 0x8000u} << 16;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | special | sign);
}

inline float widened(BFloat element) { return std::bit_cast<float>(std::uint32_t{element.bits} << 16); }

/// A computed value as an element, rounded to nearest, ties to even; too large becomes infinity.
template <class T>
T narrowed(MathOf<T> value) {
  return value;
}

template <>
inline Half narrowed<Half>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t half = 0;
  if (magnitude > 0x7f800000u)
    half = 0x7e00u;
  else if (magnitude >= 0x477ff000u)  // 65520, half-way between the largest and what would be the next
    half = 0x7c00u;
  else if (magnitude < 0x38800000u)  // below 2^-14: in units of 2^-24. Adding 1/2 ulp's worth of 1 lets the adder round
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  else
    half = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  return {static_cast<std::uint16_t>(half | (bits >> 16 & 0x8000u))};
}

template <>
inline BFloat narrowed<BFloat>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return {static_cast<std::uint16_t>(bits >> 16 | 0x40u)};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

/// A number as another type, as a C++ conversion does where that is defined. A float beyond an integer's range becomes
/// its end, NaN 0: PyTorch leaves that to the machine, and this is what a GPU's cvt does.
template <class To, class From>
To converted(From value) {
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (std::isnan(value)) return 0;
    // Both ends as floats are powers of two, exactly; the upper one is the first that is too large.
    constexpr auto beyond = static_cast<From>(std::uint64_t{1} << (8 * sizeof(To) - 1));
    if (value >= beyond) return std::numeric_limits<To>::max();
    if (value < -beyond) return std::numeric_limits<To>::min();
  }
  return static_cast<To>(value);
}

/// An element as one of another type. To f16 and bf16 every type goes through float, as PyTorch's do.
template <class To, class From>
To cast(From element) {
  if constexpr (std::is_same_v<To, From>)
    return element;
  else
    return narrowed<To>(converted<MathOf<To>>(widened(element)));
}

/// A sum as an element: rounded once, integers wrap.
template <class T>
T from_sum(SumOf<T> sum) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat>)
    return {static_cast<std::uint16_t>(float_bits(dtype_for<T>(), sum))};
  else
    return static_cast<T>(sum);
}

/// + - * of two values; integers wrap.
template <class M, class F>
M wrapping(M a, M b, F f) {
  if constexpr (std::is_integral_v<M>) {
    using Unsigned = std::make_unsigned_t<M>;
    return static_cast<M>(f(static_cast<Unsigned>(a), static_cast<Unsigned>(b)));
  } else {
    return f(a, b);
  }
}

/// The larger of two values, as kernels/larger.cuh: NaN is larger than all others, and 0 than -0.
template <class M>
M larger(M a, M b) {
  if constexpr (std::is_floating_point_v<M>) {
    if (a != a) return a;
    if (b != b) return b;
    if (a == b) return a == 0 ? a + b : a;
  }
  return a > b ? a : b;
}

}  // namespace warpwalk::ops
