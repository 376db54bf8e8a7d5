// half and half2: warpwalk's own header for clang.
#pragma once

#include "warpwalk/device.h"
#include "warpwalk/half_bits.h"

#define WARPWALK_H __half
#define WARPWALK_H2 __half2
#define WARPWALK_BITS HalfBits
#include "warpwalk/half_functions.h"
#define WARPWALK_NAME(BEFORE, AFTER) BEFORE##half##AFTER
#define WARPWALK_NAME2(BEFORE, AFTER) BEFORE##half2##AFTER
#define WARPWALK_PAIR_OF __half2half2
#include "warpwalk/half_conversions.h"

typedef __half half;
typedef __half2 half2;
struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

WARPWALK_BOTH __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
WARPWALK_BOTH __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
WARPWALK_BOTH float2 __half22float2(__half2 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }
WARPWALK_BOTH __half2 __halves2half2(__half a, __half b) { return {a, b}; }
WARPWALK_BOTH __half2 make_half2(__half a, __half b) { return {a, b}; }
WARPWALK_DEVICE short __half_as_short(__half v) { return static_cast<short>(v.__x); }
WARPWALK_DEVICE unsigned short __half_as_ushort(__half v) { return v.__x; }
WARPWALK_DEVICE __half __short_as_half(short v) { return __half::of(static_cast<unsigned short>(v)); }
WARPWALK_DEVICE __half __ushort_as_half(unsigned short v) { return __half::of(v); }
WARPWALK_DEVICE __half __hmax_relu(__half a, __half b) { return __hmax(__hmax(a, b), __half::of(0)); }
WARPWALK_DEVICE __half2 atomicAdd(__half2* p, __half2 v) {
  unsigned int old;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v.bits()) : "memory");
  return __half2::of(old);
}
WARPWALK_DEVICE __half atomicAdd(__half* p, __half v) {
  unsigned short old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(p), "h"(v.__x) : "memory");
  return __half::of(old);
}
#undef WARPWALK_H
#undef WARPWALK_H2
#undef WARPWALK_BITS
#undef WARPWALK_NAME
#undef WARPWALK_NAME2
#undef WARPWALK_PAIR_OF
