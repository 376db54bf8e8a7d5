// bfloat16 and its pair: warpwalk's own header for clang. Arithmetic needs compute capability 8.0.
#pragma once

#include "warpwalk/device.h"
#include "warpwalk/half_bits.h"

#define WARPWALK_H __nv_bfloat16
#define WARPWALK_H2 __nv_bfloat162
#define WARPWALK_BITS BfloatBits
#include "warpwalk/half_functions.h"
#define WARPWALK_NAME(BEFORE, AFTER) BEFORE##bfloat16##AFTER
#define WARPWALK_NAME2(BEFORE, AFTER) BEFORE##bfloat162##AFTER
#define WARPWALK_PAIR_OF __bfloat162bfloat162
#include "warpwalk/half_conversions.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

WARPWALK_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
WARPWALK_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
WARPWALK_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }
WARPWALK_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
WARPWALK_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
WARPWALK_DEVICE short __bfloat16_as_short(__nv_bfloat16 v) { return static_cast<short>(v.__x); }
WARPWALK_DEVICE unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.__x; }
WARPWALK_DEVICE __nv_bfloat16 __short_as_bfloat16(short v) { return __nv_bfloat16::of(static_cast<unsigned short>(v)); }
WARPWALK_DEVICE __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) { return __nv_bfloat16::of(v); }
// A loop of compare-and-swap, since the instruction needs compute capability 9.0.
WARPWALK_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* p, __nv_bfloat162 v) {
  unsigned int* const word = reinterpret_cast<unsigned int*>(p);
  unsigned int old = *word, expected;
  do {
    expected = old;
    old = atomicCAS(word, expected, (__nv_bfloat162::of(expected) + v).bits());
  } while (old != expected);
  return __nv_bfloat162::of(old);
}
WARPWALK_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 v) {
  unsigned short old = p->__x, expected;
  do {
    expected = old;
    old = atomicCAS(&p->__x, expected, (__nv_bfloat16::of(expected) + v).__x);
  } while (old != expected);
  return __nv_bfloat16::of(old);
}
#undef WARPWALK_H
#undef WARPWALK_H2
#undef WARPWALK_BITS
#undef WARPWALK_NAME
#undef WARPWALK_NAME2
#undef WARPWALK_PAIR_OF
