// Conversions of one 16-bit format, whose name is part of theirs. Included after half_functions.h with
//   WARPWALK_NAME(a, b)    a, the format, b: __float2half_rn
//   WARPWALK_NAME2(a, b)   the same with the pair: __low2half2
// No include guard: it is read once for each format.

#define WARPWALK_FROM(MODE, ROUNDING)                                                                      \
  WARPWALK_BOTH WARPWALK_H WARPWALK_NAME(__float2, MODE)(float v) {                                        \
    return WARPWALK_H::of(warpwalk_cuda::WARPWALK_BITS::from_float<warpwalk_cuda::Rounding::ROUNDING>(v)); \
  }
WARPWALK_FROM(_rn, nearest)
WARPWALK_FROM(, nearest) WARPWALK_FROM(_rz, zero) WARPWALK_FROM(_ru, up) WARPWALK_FROM(_rd, down)
#undef WARPWALK_FROM
    WARPWALK_BOTH WARPWALK_H WARPWALK_NAME(__double2, )(double v) {
  // Rounded to an odd float first, so that the second rounding sees every bit.
  float f = static_cast<float>(v);
  unsigned int bits;
  __builtin_memcpy(&bits, &f, 4);
  if (static_cast<double>(f) != v && v == v && (bits & 1) == 0 && (bits & 0x7fffffffu) < 0x7f800000u) {
    bits += (static_cast<double>(f) < v) == (v > 0) ? 1 : -1;
    __builtin_memcpy(&f, &bits, 4);
  }
  return f;
}
WARPWALK_BOTH WARPWALK_H2 WARPWALK_NAME2(__float2, _rn)(float v) { return {WARPWALK_H(v), WARPWALK_H(v)}; }
WARPWALK_BOTH WARPWALK_H2 WARPWALK_PAIR_OF(WARPWALK_H v) { return {v, v}; }
WARPWALK_BOTH float WARPWALK_NAME(__, 2float)(WARPWALK_H v) { return v; }
WARPWALK_BOTH float __low2float(WARPWALK_H2 v) { return v.x; }
WARPWALK_BOTH float __high2float(WARPWALK_H2 v) { return v.y; }
WARPWALK_BOTH WARPWALK_H WARPWALK_NAME(__low2, )(WARPWALK_H2 v) { return v.x; }
WARPWALK_BOTH WARPWALK_H WARPWALK_NAME(__high2, )(WARPWALK_H2 v) { return v.y; }
WARPWALK_BOTH WARPWALK_H2 WARPWALK_NAME2(__low2, )(WARPWALK_H2 v) { return {v.x, v.x}; }
WARPWALK_BOTH WARPWALK_H2 WARPWALK_NAME2(__high2, )(WARPWALK_H2 v) { return {v.y, v.y}; }
WARPWALK_BOTH WARPWALK_H2 WARPWALK_NAME2(__lows2, )(WARPWALK_H2 a, WARPWALK_H2 b) { return {a.x, b.x}; }
WARPWALK_BOTH WARPWALK_H2 WARPWALK_NAME2(__highs2, )(WARPWALK_H2 a, WARPWALK_H2 b) { return {a.y, b.y}; }
WARPWALK_BOTH WARPWALK_H2 __lowhigh2highlow(WARPWALK_H2 v) { return {v.y, v.x}; }

// To integers: a float holds every number of the format. From integers: double holds them before the one rounding.
#define WARPWALK_INTEGER(NAME, TYPE, CONVERT)                                                                       \
  WARPWALK_DEVICE TYPE WARPWALK_NAME(__, 2##NAME##_rn)(WARPWALK_H v) { return static_cast<TYPE>(CONVERT##_rn(v)); } \
  WARPWALK_DEVICE TYPE WARPWALK_NAME(__, 2##NAME##_rz)(WARPWALK_H v) { return static_cast<TYPE>(CONVERT##_rz(v)); } \
  WARPWALK_DEVICE TYPE WARPWALK_NAME(__, 2##NAME##_ru)(WARPWALK_H v) { return static_cast<TYPE>(CONVERT##_ru(v)); } \
  WARPWALK_DEVICE TYPE WARPWALK_NAME(__, 2##NAME##_rd)(WARPWALK_H v) { return static_cast<TYPE>(CONVERT##_rd(v)); } \
  WARPWALK_INTEGER_TO(NAME, TYPE, _rn, nearest)                                                                     \
  WARPWALK_INTEGER_TO(NAME, TYPE, _rz, zero) WARPWALK_INTEGER_TO(NAME, TYPE, _ru, up)                               \
      WARPWALK_INTEGER_TO(NAME, TYPE, _rd, down)
#define WARPWALK_INTEGER_TO(NAME, TYPE, MODE, ROUNDING)                                                            \
  WARPWALK_DEVICE WARPWALK_H WARPWALK_NAME(__##NAME##2, MODE)(TYPE v) {                                            \
    return WARPWALK_H::of(                                                                                         \
        warpwalk_cuda::WARPWALK_BITS::from_float<warpwalk_cuda::Rounding::ROUNDING>(warpwalk_cuda::odd_float(v))); \
  }
#ifndef WARPWALK_ODD_FLOAT
#define WARPWALK_ODD_FLOAT
namespace warpwalk_cuda {
// The number as a float whose last bit says whether bits were lost, so that a second rounding is the only one.
template <class T>
WARPWALK_DEVICE float odd_float(T v) {
  const bool negative = v < 0;
  const unsigned long long m = negative ? 0 - static_cast<unsigned long long>(v) : static_cast<unsigned long long>(v);
  float f = __ull2float_rz(m);
  if (static_cast<unsigned long long>(f) != m) f = __uint_as_float(__float_as_uint(f) | 1);
  return negative ? -f : f;
}
#define WARPWALK_SHORT(MODE)                                                                                 \
  WARPWALK_DEVICE int float2short_##MODE(float v) { return min(max(__float2int_##MODE(v), -32768), 32767); } \
  WARPWALK_DEVICE int float2ushort_##MODE(float v) { return min(max(__float2int_##MODE(v), 0), 65535); }
WARPWALK_SHORT(rn) WARPWALK_SHORT(rz) WARPWALK_SHORT(ru) WARPWALK_SHORT(rd)
#undef WARPWALK_SHORT
}  // namespace warpwalk_cuda
#endif
WARPWALK_INTEGER(int, int, __float2int)
WARPWALK_INTEGER(uint, unsigned int, __float2uint) WARPWALK_INTEGER(short, short, warpwalk_cuda::float2short)
    WARPWALK_INTEGER(ushort, unsigned short, warpwalk_cuda::float2ushort) WARPWALK_INTEGER(ll, long long, __float2ll)
        WARPWALK_INTEGER(ull, unsigned long long, __float2ull)
#undef WARPWALK_INTEGER
#undef WARPWALK_INTEGER_TO
