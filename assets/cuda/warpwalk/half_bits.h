// The arithmetic of half and bfloat16 on their bits, as instructions. Host code converts only.
#pragma once

#include "math_overloads.h"

namespace warpwalk_cuda {

// How a conversion to fewer bits rounds: to nearest even, towards zero, up, down.
enum class Rounding { nearest, zero, up, down };

// Rounds a float to `Fraction` bits of fraction with an exponent of `Exponent` bits, by integers. Used by host code,
// and for bfloat16 before compute capability 8.0.
template <int Exponent, int Fraction, Rounding Mode>
WARPWALK_BOTH unsigned short rounded_bits(float v) {
  unsigned int bits;
  __builtin_memcpy(&bits, &v, 4);
  const unsigned int sign = bits >> 31, magnitude = bits & 0x7fffffffu;
  constexpr int bias = (1 << (Exponent - 1)) - 1;
  constexpr unsigned int infinity = ((1u << Exponent) - 1) << Fraction;
  if (magnitude > 0x7f800000u) return 0x7fff;
  const unsigned short top = static_cast<unsigned short>(sign << 15);
  if (magnitude == 0x7f800000u) return static_cast<unsigned short>(top | infinity);
  const int exponent = static_cast<int>(magnitude >> 23);
  const unsigned int whole = exponent == 0 ? magnitude : (magnitude & 0x7fffffu) | 0x800000u;
  int target = (exponent == 0 ? 1 : exponent) - 127 + bias;
  int drop = 23 - Fraction;
  if (target < 1) drop += 1 - target, target = 1;
  unsigned int kept = drop > 31 ? 0 : whole >> drop;
  const unsigned int rest = drop > 31 ? whole : whole & ((1u << drop) - 1);
  const unsigned int half = drop > 31 ? ~0u : 1u << (drop - 1);
  const bool away = Mode == Rounding::up ? sign == 0 : sign == 1;
  if (Mode == Rounding::nearest ? rest > half || (rest == half && (kept & 1) != 0)
                                : Mode != Rounding::zero && away && rest != 0)
    ++kept;
  // A carry out of the fraction goes into the exponent.
  unsigned int result = kept + (static_cast<unsigned int>(target - 1) << Fraction);
  if (result >= infinity)
    result = Mode == Rounding::nearest || (Mode != Rounding::zero && away) ? infinity : infinity - 1;
  return static_cast<unsigned short>(top | result);
}
WARPWALK_BOTH float float_of_half_bits(unsigned short h) {
  const unsigned int sign = static_cast<unsigned int>(h & 0x8000) << 16, magnitude = h & 0x7fffu;
  unsigned int bits = sign | (magnitude << 13);
  if (magnitude >= 0x7c00)
    bits |= 0x7f800000u;
  else if (magnitude >= 0x0400)
    bits += 112u << 23;
  else {
    const float tiny = static_cast<float>(magnitude) * 0x1p-24f;
    __builtin_memcpy(&bits, &tiny, 4);
    bits |= sign;
  }
  float v;
  __builtin_memcpy(&v, &bits, 4);
  return v;
}

// NAME(a), NAME(a, b) or NAME(a, b, c): one instruction on registers of one kind.
#define WARPWALK_BITS_1(NAME, INSTRUCTION, T, R)   \
  WARPWALK_MEMBER static T NAME(T a) {             \
    T r;                                           \
    asm(INSTRUCTION " %0, %1;" : "=" R(r) : R(a)); \
    return r;                                      \
  }
#define WARPWALK_BITS_2(NAME, INSTRUCTION, T, R)             \
  WARPWALK_MEMBER static T NAME(T a, T b) {                  \
    T r;                                                     \
    asm(INSTRUCTION " %0, %1, %2;" : "=" R(r) : R(a), R(b)); \
    return r;                                                \
  }
#define WARPWALK_BITS_3(NAME, INSTRUCTION, T, R)                       \
  WARPWALK_MEMBER static T NAME(T a, T b, T c) {                       \
    T r;                                                               \
    asm(INSTRUCTION " %0, %1, %2, %3;" : "=" R(r) : R(a), R(b), R(c)); \
    return r;                                                          \
  }
#define WARPWALK_BITS_SET(ONE, TWO)                                                                                    \
  WARPWALK_BITS_3(fma, "fma.rn." ONE, unsigned short, "h")                                                             \
  WARPWALK_BITS_3(fma, "fma.rn." TWO, unsigned int, "r")                                                               \
      WARPWALK_BITS_3(fma_relu, "fma.rn.relu." ONE, unsigned short, "h") WARPWALK_BITS_3(                              \
          fma_relu, "fma.rn.relu." TWO, unsigned int, "r") WARPWALK_BITS_2(least, "min." ONE, unsigned short, "h")     \
          WARPWALK_BITS_2(least, "min." TWO, unsigned int, "r") WARPWALK_BITS_2(most, "max." ONE, unsigned short, "h") \
              WARPWALK_BITS_2(most, "max." TWO, unsigned int, "r")                                                     \
                  WARPWALK_BITS_2(least_nan, "min.NaN." ONE, unsigned short, "h")                                      \
                      WARPWALK_BITS_2(least_nan, "min.NaN." TWO, unsigned int, "r")                                    \
                          WARPWALK_BITS_2(most_nan, "max.NaN." ONE, unsigned short, "h")                               \
                              WARPWALK_BITS_2(most_nan, "max.NaN." TWO, unsigned int, "r")

struct HalfBits {
  WARPWALK_BITS_SET("f16", "f16x2")
  WARPWALK_BITS_2(add, "add.rn.f16", unsigned short, "h")
  WARPWALK_BITS_2(add, "add.rn.f16x2", unsigned int, "r") WARPWALK_BITS_2(sub, "sub.rn.f16", unsigned short, "h")
      WARPWALK_BITS_2(sub, "sub.rn.f16x2", unsigned int, "r") WARPWALK_BITS_2(mul, "mul.rn.f16", unsigned short, "h")
          WARPWALK_BITS_2(mul, "mul.rn.f16x2", unsigned int, "r")
              WARPWALK_BITS_2(add_sat, "add.rn.sat.f16", unsigned short, "h")
                  WARPWALK_BITS_2(add_sat, "add.rn.sat.f16x2", unsigned int, "r")
                      WARPWALK_BITS_2(sub_sat, "sub.rn.sat.f16", unsigned short, "h")
                          WARPWALK_BITS_2(sub_sat, "sub.rn.sat.f16x2", unsigned int, "r")
                              WARPWALK_BITS_2(mul_sat, "mul.rn.sat.f16", unsigned short, "h")
                                  WARPWALK_BITS_2(mul_sat, "mul.rn.sat.f16x2", unsigned int, "r")
                                      WARPWALK_BITS_3(fma_sat, "fma.rn.sat.f16", unsigned short, "h")
                                          WARPWALK_BITS_3(fma_sat, "fma.rn.sat.f16x2", unsigned int, "r")
                                              WARPWALK_BITS_1(negative, "neg.f16", unsigned short, "h")
                                                  WARPWALK_BITS_1(negative, "neg.f16x2", unsigned int, "r")
                                                      WARPWALK_BITS_1(magnitude, "abs.f16", unsigned short, "h")
                                                          WARPWALK_BITS_1(magnitude, "abs.f16x2", unsigned int,
                                                                          "r") WARPWALK_MEMBER_BOTH
      static float to_float(unsigned short h) {
#ifdef __CUDA_ARCH__
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(h));
    return v;
#else
    return float_of_half_bits(h);
#endif
  }
  template <Rounding Mode>
  WARPWALK_MEMBER_BOTH static unsigned short from_float(float v) {
#ifdef __CUDA_ARCH__
    unsigned short h;
    if constexpr (Mode == Rounding::nearest) asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v));
    if constexpr (Mode == Rounding::zero) asm("cvt.rz.f16.f32 %0, %1;" : "=h"(h) : "f"(v));
    if constexpr (Mode == Rounding::up) asm("cvt.rp.f16.f32 %0, %1;" : "=h"(h) : "f"(v));
    if constexpr (Mode == Rounding::down) asm("cvt.rm.f16.f32 %0, %1;" : "=h"(h) : "f"(v));
    return h;
#else
    return rounded_bits<5, 10, Mode>(v);
#endif
  }
};

// bfloat16 has only fma before compute capability 9.0: a + b is a * 1 + b, a * b is a * b - 0.
struct BfloatBits {
  WARPWALK_BITS_SET("bf16", "bf16x2")
  static constexpr unsigned int one = 0x3f803f80, minus_one = 0xbf80bf80, minus_zero = 0x80008000;
  template <class T>
  WARPWALK_MEMBER static T add(T a, T b) {
    return fma(a, static_cast<T>(one), b);
  }
  template <class T>
  WARPWALK_MEMBER static T sub(T a, T b) {
    return fma(b, static_cast<T>(minus_one), a);
  }
  template <class T>
  WARPWALK_MEMBER static T mul(T a, T b) {
    return fma(a, b, static_cast<T>(minus_zero));
  }
  template <class T>
  WARPWALK_MEMBER static T saturated(T v) {
    return least(most(v, static_cast<T>(0)), static_cast<T>(one));
  }
  template <class T>
  WARPWALK_MEMBER static T add_sat(T a, T b) {
    return saturated(add(a, b));
  }
  template <class T>
  WARPWALK_MEMBER static T sub_sat(T a, T b) {
    return saturated(sub(a, b));
  }
  template <class T>
  WARPWALK_MEMBER static T mul_sat(T a, T b) {
    return saturated(mul(a, b));
  }
  template <class T>
  WARPWALK_MEMBER static T fma_sat(T a, T b, T c) {
    return saturated(fma(a, b, c));
  }
  template <class T>
  WARPWALK_MEMBER static T negative(T v) {
    return static_cast<T>(v ^ static_cast<T>(minus_zero));
  }
  template <class T>
  WARPWALK_MEMBER static T magnitude(T v) {
    return static_cast<T>(v & static_cast<T>(~minus_zero));
  }
  WARPWALK_MEMBER_BOTH static float to_float(unsigned short h) {
    const unsigned int bits = static_cast<unsigned int>(h) << 16;
    float v;
    __builtin_memcpy(&v, &bits, 4);
    return v;
  }
  template <Rounding Mode>
  WARPWALK_MEMBER_BOTH static unsigned short from_float(float v) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (Mode == Rounding::nearest || Mode == Rounding::zero) {
      unsigned short h;
      if constexpr (Mode == Rounding::nearest) asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(v));
      if constexpr (Mode == Rounding::zero) asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(h) : "f"(v));
      return h;
    }
#endif
    return rounded_bits<8, 7, Mode>(v);
  }
};
#undef WARPWALK_BITS_SET
#undef WARPWALK_BITS_1
#undef WARPWALK_BITS_2
#undef WARPWALK_BITS_3

}  // namespace warpwalk_cuda
