// Vector types: char1 to double4, make_char1() to make_double4(), dim3.
#pragma once

#include "qualifiers.h"

// A component type, the prefix of its vectors, and the alignment of vectors of 1 to 4 components.
#define WARPWALK_VECTORS(TYPE, NAME, A1, A2, A3, A4)                                 \
  struct __attribute__((aligned(A1))) NAME##1 {                                      \
    TYPE x;                                                                          \
  };                                                                                 \
  struct __attribute__((aligned(A2))) NAME##2 {                                      \
    TYPE x, y;                                                                       \
  };                                                                                 \
  struct __attribute__((aligned(A3))) NAME##3 {                                      \
    TYPE x, y, z;                                                                    \
  };                                                                                 \
  struct __attribute__((aligned(A4))) NAME##4 {                                      \
    TYPE x, y, z, w;                                                                 \
  };                                                                                 \
  WARPWALK_BOTH NAME##1 make_##NAME##1(TYPE x) { return {x}; }                       \
  WARPWALK_BOTH NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }            \
  WARPWALK_BOTH NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; } \
  WARPWALK_BOTH NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }

WARPWALK_VECTORS(signed char, char, 1, 2, 1, 4)
WARPWALK_VECTORS(unsigned char, uchar, 1, 2, 1, 4)
WARPWALK_VECTORS(short, short, 2, 4, 2, 8)
WARPWALK_VECTORS(unsigned short, ushort, 2, 4, 2, 8)
WARPWALK_VECTORS(int, int, 4, 8, 4, 16)
WARPWALK_VECTORS(unsigned int, uint, 4, 8, 4, 16)
WARPWALK_VECTORS(long, long, 8, 16, 8, 16)
WARPWALK_VECTORS(unsigned long, ulong, 8, 16, 8, 16)
WARPWALK_VECTORS(long long, longlong, 8, 16, 8, 16)
WARPWALK_VECTORS(unsigned long long, ulonglong, 8, 16, 8, 16)
WARPWALK_VECTORS(float, float, 4, 8, 4, 16)
WARPWALK_VECTORS(double, double, 8, 16, 8, 16)
#undef WARPWALK_VECTORS

struct dim3 {
  unsigned int x, y, z;
  WARPWALK_MEMBER_BOTH constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  WARPWALK_MEMBER_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  WARPWALK_MEMBER_BOTH constexpr operator uint3() const { return {x, y, z}; }
};
