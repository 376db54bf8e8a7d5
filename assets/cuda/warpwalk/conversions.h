// Conversions with a rounding mode, and IEEE arithmetic with a rounding mode, which the compiler does not fuse.
#pragma once

#include "integers.h"

// NAME_rn and so on: one instruction with one operand.
#define WARPWALK_CONVERT(NAME, SUFFIX, INSTRUCTION, TO, TO_REGISTER, FROM, FROM_REGISTER) \
  WARPWALK_DEVICE TO NAME##_##SUFFIX(FROM v) {                                            \
    TO r;                                                                                 \
    asm(INSTRUCTION " %0, %1;" : "=" TO_REGISTER(r) : FROM_REGISTER(v));                  \
    return r;                                                                             \
  }
#define WARPWALK_TO_INTEGER(NAME, TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER)      \
  WARPWALK_CONVERT(NAME, rn, "cvt.rni" TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER) \
  WARPWALK_CONVERT(NAME, rz, "cvt.rzi" TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER) \
  WARPWALK_CONVERT(NAME, ru, "cvt.rpi" TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER) \
  WARPWALK_CONVERT(NAME, rd, "cvt.rmi" TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER)
#define WARPWALK_TO_FLOAT(NAME, TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER)       \
  WARPWALK_CONVERT(NAME, rn, "cvt.rn" TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER) \
  WARPWALK_CONVERT(NAME, rz, "cvt.rz" TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER) \
  WARPWALK_CONVERT(NAME, ru, "cvt.rp" TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER) \
  WARPWALK_CONVERT(NAME, rd, "cvt.rm" TYPES, TO, TO_REGISTER, FROM, FROM_REGISTER)
WARPWALK_TO_INTEGER(__float2int, ".s32.f32", int, "r", float, "f")
WARPWALK_TO_INTEGER(__float2uint, ".u32.f32", unsigned int, "r", float, "f")
WARPWALK_TO_INTEGER(__float2ll, ".s64.f32", long long, "l", float, "f")
WARPWALK_TO_INTEGER(__float2ull, ".u64.f32", unsigned long long, "l", float, "f")
WARPWALK_TO_INTEGER(__double2int, ".s32.f64", int, "r", double, "d")
WARPWALK_TO_INTEGER(__double2uint, ".u32.f64", unsigned int, "r", double, "d")
WARPWALK_TO_INTEGER(__double2ll, ".s64.f64", long long, "l", double, "d")
WARPWALK_TO_INTEGER(__double2ull, ".u64.f64", unsigned long long, "l", double, "d")
WARPWALK_TO_FLOAT(__int2float, ".f32.s32", float, "f", int, "r")
WARPWALK_TO_FLOAT(__uint2float, ".f32.u32", float, "f", unsigned int, "r")
WARPWALK_TO_FLOAT(__ll2float, ".f32.s64", float, "f", long long, "l")
WARPWALK_TO_FLOAT(__ull2float, ".f32.u64", float, "f", unsigned long long, "l")
WARPWALK_TO_FLOAT(__ll2double, ".f64.s64", double, "d", long long, "l")
WARPWALK_TO_FLOAT(__ull2double, ".f64.u64", double, "d", unsigned long long, "l")
WARPWALK_TO_FLOAT(__double2float, ".f32.f64", float, "f", double, "d")
WARPWALK_DEVICE double __int2double_rn(int v) { return v; }
WARPWALK_DEVICE double __uint2double_rn(unsigned int v) { return v; }
#undef WARPWALK_TO_INTEGER
#undef WARPWALK_TO_FLOAT
#undef WARPWALK_CONVERT

#define WARPWALK_1(NAME, INSTRUCTION, T, R)        \
  WARPWALK_DEVICE T NAME(T a) {                    \
    T r;                                           \
    asm(INSTRUCTION " %0, %1;" : "=" R(r) : R(a)); \
    return r;                                      \
  }
#define WARPWALK_2(NAME, INSTRUCTION, T, R)                  \
  WARPWALK_DEVICE T NAME(T a, T b) {                         \
    T r;                                                     \
    asm(INSTRUCTION " %0, %1, %2;" : "=" R(r) : R(a), R(b)); \
    return r;                                                \
  }
#define WARPWALK_3(NAME, INSTRUCTION, T, R)                            \
  WARPWALK_DEVICE T NAME(T a, T b, T c) {                              \
    T r;                                                               \
    asm(INSTRUCTION " %0, %1, %2, %3;" : "=" R(r) : R(a), R(b), R(c)); \
    return r;                                                          \
  }
#define WARPWALK_ROUNDED(SUFFIX, MODE)                          \
  WARPWALK_2(__fadd_##SUFFIX, "add." MODE ".f32", float, "f")   \
  WARPWALK_2(__fsub_##SUFFIX, "sub." MODE ".f32", float, "f")   \
  WARPWALK_2(__fmul_##SUFFIX, "mul." MODE ".f32", float, "f")   \
  WARPWALK_3(__fmaf_##SUFFIX, "fma." MODE ".f32", float, "f")   \
  WARPWALK_2(__fdiv_##SUFFIX, "div." MODE ".f32", float, "f")   \
  WARPWALK_1(__frcp_##SUFFIX, "rcp." MODE ".f32", float, "f")   \
  WARPWALK_1(__fsqrt_##SUFFIX, "sqrt." MODE ".f32", float, "f") \
  WARPWALK_2(__dadd_##SUFFIX, "add." MODE ".f64", double, "d")  \
  WARPWALK_2(__dsub_##SUFFIX, "sub." MODE ".f64", double, "d")  \
  WARPWALK_2(__dmul_##SUFFIX, "mul." MODE ".f64", double, "d")  \
  WARPWALK_3(__fma_##SUFFIX, "fma." MODE ".f64", double, "d")   \
  WARPWALK_2(__ddiv_##SUFFIX, "div." MODE ".f64", double, "d")  \
  WARPWALK_1(__drcp_##SUFFIX, "rcp." MODE ".f64", double, "d")  \
  WARPWALK_1(__dsqrt_##SUFFIX, "sqrt." MODE ".f64", double, "d")
WARPWALK_ROUNDED(rn, "rn")
WARPWALK_ROUNDED(rz, "rz")
WARPWALK_ROUNDED(ru, "rp")
WARPWALK_ROUNDED(rd, "rm")
#undef WARPWALK_ROUNDED

// The instructions of the special function unit.
WARPWALK_1(__warpwalk_sin, "sin.approx.f32", float, "f")
WARPWALK_1(__warpwalk_cos, "cos.approx.f32", float, "f")
WARPWALK_1(__warpwalk_lg2, "lg2.approx.f32", float, "f")
WARPWALK_1(__warpwalk_ex2, "ex2.approx.f32", float, "f")
WARPWALK_1(__warpwalk_rsqrt, "rsqrt.approx.f32", float, "f")
WARPWALK_1(__warpwalk_rsqrt, "rsqrt.approx.f64", double, "d")
WARPWALK_1(__warpwalk_tanh, "tanh.approx.f32", float, "f")
WARPWALK_2(__fdividef, "div.approx.f32", float, "f")
WARPWALK_1(__saturatef, "cvt.sat.f32.f32", float, "f")
#undef WARPWALK_1
#undef WARPWALK_2
#undef WARPWALK_3
WARPWALK_DEVICE float __frsqrt_rn(float v) {
  const double exact = 1.0 / __dsqrt_rn(v);
  return static_cast<float>(exact);
}
WARPWALK_DEVICE float __sinf(float v) { return __warpwalk_sin(v); }
WARPWALK_DEVICE float __cosf(float v) { return __warpwalk_cos(v); }
WARPWALK_DEVICE void __sincosf(float v, float* s, float* c) { *s = __warpwalk_sin(v), *c = __warpwalk_cos(v); }
WARPWALK_DEVICE float __tanf(float v) { return __fdividef(__warpwalk_sin(v), __warpwalk_cos(v)); }
WARPWALK_DEVICE float __log2f(float v) { return __warpwalk_lg2(v); }
WARPWALK_DEVICE float __logf(float v) { return __warpwalk_lg2(v) * 0.693147182f; }
WARPWALK_DEVICE float __log10f(float v) { return __warpwalk_lg2(v) * 0.301029996f; }
WARPWALK_DEVICE float __expf(float v) { return __warpwalk_ex2(v * 1.44269502f); }
WARPWALK_DEVICE float __exp10f(float v) { return __warpwalk_ex2(v * 3.32192802f); }
WARPWALK_DEVICE float __powf(float a, float b) { return __warpwalk_ex2(b * __warpwalk_lg2(a)); }
WARPWALK_DEVICE float __tanhf(float v) { return __warpwalk_tanh(v); }
WARPWALK_DEVICE float fdividef(float a, float b) { return a / b; }
