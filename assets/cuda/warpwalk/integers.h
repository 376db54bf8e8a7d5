// Integer intrinsics, and the bits of numbers.
#pragma once

#include "vectors.h"

WARPWALK_DEVICE int __clz(int v) { return v == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(v)); }
WARPWALK_DEVICE int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(v)); }
WARPWALK_DEVICE int __popc(unsigned int v) { return __builtin_popcount(v); }
WARPWALK_DEVICE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
WARPWALK_DEVICE unsigned int __brev(unsigned int v) { return __builtin_bitreverse32(v); }
WARPWALK_DEVICE unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
WARPWALK_DEVICE int __ffs(int v) {
  return v == 0 ? 0 : __clz(static_cast<int>(__brev(static_cast<unsigned int>(v)))) + 1;
}
WARPWALK_DEVICE int __ffsll(long long v) { return v == 0 ? 0 : __clzll(static_cast<long long>(__brevll(v))) + 1; }
// The position of the `offset`-th set bit from `base` on, downwards if `offset` is negative; 0xffffffff if there is
// none.
WARPWALK_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  unsigned int r;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(mask), "r"(base), "r"(offset));
  return r;
}
WARPWALK_DEVICE int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
WARPWALK_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) * b) >> 32);
}
WARPWALK_DEVICE long long __mul64hi(long long a, long long b) {
  long long r;
  asm("mul.hi.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}
WARPWALK_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long r;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}
WARPWALK_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
WARPWALK_DEVICE unsigned int umulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
WARPWALK_DEVICE long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
WARPWALK_DEVICE unsigned long long umul64hi(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }
WARPWALK_DEVICE int __mul24(int a, int b) {
  int r;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
WARPWALK_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) {
  unsigned int r;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
WARPWALK_DEVICE unsigned int __sad(int a, int b, unsigned int c) {
  unsigned int r;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
WARPWALK_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  unsigned int r;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
WARPWALK_DEVICE int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
WARPWALK_DEVICE int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
WARPWALK_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b) >> 1);
}
WARPWALK_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
WARPWALK_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
  unsigned int r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(selector & 0x7777u));
  return r;
}

#define WARPWALK_FUNNEL(NAME, OP)                                                              \
  WARPWALK_DEVICE unsigned int NAME(unsigned int low, unsigned int high, unsigned int shift) { \
    unsigned int r;                                                                            \
    asm(OP " %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift));                    \
    return r;                                                                                  \
  }
WARPWALK_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
WARPWALK_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
WARPWALK_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
WARPWALK_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef WARPWALK_FUNNEL

// Dot products of bytes, or of halves with bytes, with a sum.
#define WARPWALK_DOT(NAME, OP, A, B, C)                            \
  WARPWALK_DEVICE C NAME(A a, B b, C c) {                          \
    C r;                                                           \
    asm(OP " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); \
    return r;                                                      \
  }
WARPWALK_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
WARPWALK_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
WARPWALK_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
WARPWALK_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
WARPWALK_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
WARPWALK_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
#undef WARPWALK_DOT

template <class To, class From>
WARPWALK_DEVICE To warpwalk_bits(From v) {
  static_assert(sizeof(To) == sizeof(From));
  To r;
  __builtin_memcpy(&r, &v, sizeof r);
  return r;
}
WARPWALK_DEVICE int __float_as_int(float v) { return warpwalk_bits<int>(v); }
WARPWALK_DEVICE unsigned int __float_as_uint(float v) { return warpwalk_bits<unsigned int>(v); }
WARPWALK_DEVICE float __int_as_float(int v) { return warpwalk_bits<float>(v); }
WARPWALK_DEVICE float __uint_as_float(unsigned int v) { return warpwalk_bits<float>(v); }
WARPWALK_DEVICE long long __double_as_longlong(double v) { return warpwalk_bits<long long>(v); }
WARPWALK_DEVICE double __longlong_as_double(long long v) { return warpwalk_bits<double>(v); }
WARPWALK_DEVICE int __double2loint(double v) { return static_cast<int>(__double_as_longlong(v)); }
WARPWALK_DEVICE int __double2hiint(double v) { return static_cast<int>(__double_as_longlong(v) >> 32); }
WARPWALK_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(
      (static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32) | static_cast<unsigned int>(low)));
}

// min() and max() of mixed types follow the rule of CUDA: unsigned if one of them is.
#define WARPWALK_MIN_MAX(A, B, R)                                                         \
  WARPWALK_DEVICE R min(A a, B b) {                                                       \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
  }                                                                                       \
  WARPWALK_DEVICE R max(A a, B b) {                                                       \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a); \
  }
#define WARPWALK_MIN_MAX_OF(S, U) \
  WARPWALK_MIN_MAX(S, S, S) WARPWALK_MIN_MAX(U, U, U) WARPWALK_MIN_MAX(S, U, U) WARPWALK_MIN_MAX(U, S, U)
WARPWALK_MIN_MAX_OF(int, unsigned int)
WARPWALK_MIN_MAX_OF(long, unsigned long)
WARPWALK_MIN_MAX_OF(long long, unsigned long long)
#undef WARPWALK_MIN_MAX_OF
#undef WARPWALK_MIN_MAX
WARPWALK_DEVICE unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
WARPWALK_DEVICE unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
WARPWALK_DEVICE long long llmin(long long a, long long b) { return min(a, b); }
WARPWALK_DEVICE long long llmax(long long a, long long b) { return max(a, b); }
WARPWALK_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
WARPWALK_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
WARPWALK_DEVICE int abs(int v) { return v < 0 ? -v : v; }
WARPWALK_DEVICE long abs(long v) { return v < 0 ? -v : v; }
WARPWALK_DEVICE long long abs(long long v) { return v < 0 ? -v : v; }
WARPWALK_DEVICE long labs(long v) { return v < 0 ? -v : v; }
WARPWALK_DEVICE long long llabs(long long v) { return v < 0 ? -v : v; }

// Minimum and maximum of three, or of a sum, and bounded below by 0.
WARPWALK_DEVICE int __vimin3_s32(int a, int b, int c) { return min(min(a, b), c); }
WARPWALK_DEVICE int __vimax3_s32(int a, int b, int c) { return max(max(a, b), c); }
WARPWALK_DEVICE unsigned int __vimin3_u32(unsigned int a, unsigned int b, unsigned int c) { return min(min(a, b), c); }
WARPWALK_DEVICE unsigned int __vimax3_u32(unsigned int a, unsigned int b, unsigned int c) { return max(max(a, b), c); }
WARPWALK_DEVICE int __vimin3_s32_relu(int a, int b, int c) { return max(__vimin3_s32(a, b, c), 0); }
WARPWALK_DEVICE int __vimax3_s32_relu(int a, int b, int c) { return max(__vimax3_s32(a, b, c), 0); }
WARPWALK_DEVICE int __viaddmin_s32(int a, int b, int c) { return min(a + b, c); }
WARPWALK_DEVICE int __viaddmax_s32(int a, int b, int c) { return max(a + b, c); }
WARPWALK_DEVICE unsigned int __viaddmin_u32(unsigned int a, unsigned int b, unsigned int c) { return min(a + b, c); }
WARPWALK_DEVICE unsigned int __viaddmax_u32(unsigned int a, unsigned int b, unsigned int c) { return max(a + b, c); }
WARPWALK_DEVICE int __viaddmin_s32_relu(int a, int b, int c) { return max(min(a + b, c), 0); }
WARPWALK_DEVICE int __viaddmax_s32_relu(int a, int b, int c) { return max(max(a + b, c), 0); }
