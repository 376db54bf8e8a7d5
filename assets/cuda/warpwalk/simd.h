// Integer arithmetic on the two halves or four bytes of a word: __vadd2(), __vmaxu4() and so on.
#pragma once

#include "integers.h"

namespace warpwalk_cuda {

// Applies `f` to the parts of three words; each part is sign-extended if Signed. The result's parts are truncated.
template <int Bits, bool Signed, class F>
WARPWALK_DEVICE unsigned int by_part(unsigned int a, unsigned int b, unsigned int c, F f) {
  unsigned int r = 0;
  for (int at = 0; at < 32; at += Bits) {
    const auto part = [at](unsigned int v) __attribute__((device, always_inline)) {
      const int top = static_cast<int>(v << (32 - Bits - at));
      return Signed ? top >> (32 - Bits) : static_cast<int>(static_cast<unsigned int>(top) >> (32 - Bits));
    };
    r |= (static_cast<unsigned int>(f(part(a), part(b), part(c))) & ((1u << Bits) - 1)) << at;
  }
  return r;
}
WARPWALK_DEVICE int clamp_to(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

}  // namespace warpwalk_cuda

#define WARPWALK_PARTS(NAME, BITS, SIGNED, EXPRESSION)                                                 \
  WARPWALK_DEVICE unsigned int NAME(unsigned int a, unsigned int b) {                                  \
    return warpwalk_cuda::by_part<BITS, SIGNED>(                                                       \
        a, b, 0, [](int x, int y, int) __attribute__((device, always_inline)) { return EXPRESSION; }); \
  }
#define WARPWALK_PARTS_1(NAME, BITS, EXPRESSION)                                                     \
  WARPWALK_DEVICE unsigned int NAME(unsigned int a) {                                                \
    return warpwalk_cuda::by_part<BITS, true>(                                                       \
        a, 0, 0, [](int x, int, int) __attribute__((device, always_inline)) { return EXPRESSION; }); \
  }
#define WARPWALK_PARTS_3(NAME, SIGNED, EXPRESSION)                                                       \
  WARPWALK_DEVICE unsigned int NAME(unsigned int a, unsigned int b, unsigned int c) {                    \
    return warpwalk_cuda::by_part<16, SIGNED>(                                                           \
        a, b, c, [](int x, int y, int z) __attribute__((device, always_inline)) { return EXPRESSION; }); \
  }
#define WARPWALK_COMPARE(NAME, BITS, N, SIGNED, OPERATOR)              \
  WARPWALK_PARTS(__vcmp##NAME##N, BITS, SIGNED, x OPERATOR y ? -1 : 0) \
  WARPWALK_PARTS(__vset##NAME##N, BITS, SIGNED, x OPERATOR y ? 1 : 0)
#define WARPWALK_SIMD(BITS, N, LOWEST, HIGHEST, ALL)                                            \
  WARPWALK_PARTS(__vadd##N, BITS, true, x + y)                                                  \
  WARPWALK_PARTS(__vsub##N, BITS, true, x - y)                                                  \
  WARPWALK_PARTS(__vaddss##N, BITS, true, warpwalk_cuda::clamp_to(x + y, LOWEST, HIGHEST))      \
  WARPWALK_PARTS(__vaddus##N, BITS, false, warpwalk_cuda::clamp_to(x + y, 0, ALL))              \
  WARPWALK_PARTS(__vsubss##N, BITS, true, warpwalk_cuda::clamp_to(x - y, LOWEST, HIGHEST))      \
  WARPWALK_PARTS(__vsubus##N, BITS, false, warpwalk_cuda::clamp_to(x - y, 0, ALL))              \
  WARPWALK_PARTS(__vmaxs##N, BITS, true, x > y ? x : y)                                         \
  WARPWALK_PARTS(__vmaxu##N, BITS, false, x > y ? x : y)                                        \
  WARPWALK_PARTS(__vmins##N, BITS, true, x < y ? x : y)                                         \
  WARPWALK_PARTS(__vminu##N, BITS, false, x < y ? x : y)                                        \
  WARPWALK_PARTS(__vavgs##N, BITS, true, (x + y + (x + y >= 0)) >> 1)                           \
  WARPWALK_PARTS(__vavgu##N, BITS, false, (x + y + 1) >> 1)                                     \
  WARPWALK_PARTS(__vhaddu##N, BITS, false, (x + y) >> 1)                                        \
  WARPWALK_PARTS(__vabsdiffs##N, BITS, true, x > y ? x - y : y - x)                             \
  WARPWALK_PARTS(__vabsdiffu##N, BITS, false, x > y ? x - y : y - x)                            \
  WARPWALK_PARTS_1(__vabs##N, BITS, x < 0 ? -x : x)                                             \
  WARPWALK_PARTS_1(__vabsss##N, BITS, warpwalk_cuda::clamp_to(x < 0 ? -x : x, LOWEST, HIGHEST)) \
  WARPWALK_PARTS_1(__vneg##N, BITS, -x)                                                         \
  WARPWALK_PARTS_1(__vnegss##N, BITS, warpwalk_cuda::clamp_to(-x, LOWEST, HIGHEST))             \
  WARPWALK_COMPARE(eq, BITS, N, true, ==)                                                       \
  WARPWALK_COMPARE(ne, BITS, N, true, !=)                                                       \
  WARPWALK_COMPARE(lts, BITS, N, true, <)                                                       \
  WARPWALK_COMPARE(les, BITS, N, true, <=)                                                      \
  WARPWALK_COMPARE(gts, BITS, N, true, >)                                                       \
  WARPWALK_COMPARE(ges, BITS, N, true, >=)                                                      \
  WARPWALK_COMPARE(ltu, BITS, N, false, <)                                                      \
  WARPWALK_COMPARE(leu, BITS, N, false, <=)                                                     \
  WARPWALK_COMPARE(gtu, BITS, N, false, >)                                                      \
  WARPWALK_COMPARE(geu, BITS, N, false, >=)                                                     \
  WARPWALK_DEVICE unsigned int __vsads##N(unsigned int a, unsigned int b) {                     \
    const unsigned int d = __vabsdiffs##N(a, b);                                                \
    unsigned int sum = 0;                                                                       \
    for (int at = 0; at < 32; at += BITS) sum += (d >> at) & ALL;                               \
    return sum;                                                                                 \
  }                                                                                             \
  WARPWALK_DEVICE unsigned int __vsadu##N(unsigned int a, unsigned int b) {                     \
    const unsigned int d = __vabsdiffu##N(a, b);                                                \
    unsigned int sum = 0;                                                                       \
    for (int at = 0; at < 32; at += BITS) sum += (d >> at) & ALL;                               \
    return sum;                                                                                 \
  }
WARPWALK_SIMD(16, 2, -32768, 32767, 65535)
WARPWALK_SIMD(8, 4, -128, 127, 255)
#undef WARPWALK_SIMD
#undef WARPWALK_COMPARE

#define WARPWALK_LEAST_MOST(T, SIGNED)                                                    \
  WARPWALK_PARTS_3(__vimin3_##T, SIGNED, min(min(x, y), z))                               \
  WARPWALK_PARTS_3(__vimax3_##T, SIGNED, max(max(x, y), z))                               \
  WARPWALK_PARTS_3(__viaddmin_##T, SIGNED, min(warpwalk_cuda::wrapped<SIGNED>(x + y), z)) \
  WARPWALK_PARTS_3(__viaddmax_##T, SIGNED, max(warpwalk_cuda::wrapped<SIGNED>(x + y), z))
namespace warpwalk_cuda {
template <bool Signed>
WARPWALK_DEVICE int wrapped(int v) {
  return Signed ? static_cast<short>(v) : static_cast<unsigned short>(v);
}
}  // namespace warpwalk_cuda
WARPWALK_LEAST_MOST(s16x2, true)
WARPWALK_LEAST_MOST(u16x2, false)
WARPWALK_PARTS_3(__vimin3_s16x2_relu, true, max(min(min(x, y), z), 0))
WARPWALK_PARTS_3(__vimax3_s16x2_relu, true, max(max(max(x, y), z), 0))
WARPWALK_PARTS_3(__viaddmin_s16x2_relu, true, max(min(warpwalk_cuda::wrapped<true>(x + y), z), 0))
WARPWALK_PARTS_3(__viaddmax_s16x2_relu, true, max(max(warpwalk_cuda::wrapped<true>(x + y), z), 0))
#undef WARPWALK_LEAST_MOST
#undef WARPWALK_PARTS
#undef WARPWALK_PARTS_1
#undef WARPWALK_PARTS_3
