// Mathematical functions of double. Documented bounds: docs/kernel-lab.md. The polynomials interpolate at Chebyshev
// nodes.
#pragma once

#include "math_basic.h"

namespace warpwalk_cuda {

// x = k ln 2 + r, with |r| <= ln 2 / 2.
WARPWALK_DEVICE double reduce_exp(double x, int* k, double* low) {
  const double n = rint(x * 1.4426950408889634);
  *k = static_cast<int>(n);
  const double r = fma(n, -0.69314718055994529, x);
  *low = n * -2.3190468138462996e-17;
  return r;
}
// e^(r + low) 2^k, for |r| <= ln 2 / 2.
WARPWALK_DEVICE double exp_of(double r, double low, int k) {
  constexpr double c[] = {0.5,
                          0.16666666666666671,
                          0.041666666666666671,
                          0.0083333333333255443,
                          0.0013888888888883327,
                          0.00019841269876864356,
                          2.4801587327007187e-05,
                          2.7557252833516911e-06,
                          2.75572718102198e-07,
                          2.5106274733573296e-08,
                          2.0915442297780116e-09};
  const double s = r + low, rest = low - (s - r);
  return ldexp(1.0 + (s + fma(s * s, polynomial(c, s), rest)), k);
}

// ln x for a positive finite x: k ln 2 + ln m, with m between sqrt(1/2) and sqrt(2).
struct Split {
  double f;  // m - 1
  int k;
};
WARPWALK_DEVICE Split split(double x) {
  int k = 0;
  if (x < 0x1p-1022) x *= 0x1p54, k = -54;
  long long bits = __double_as_longlong(x);
  const long long above = bits - 0x3fe6a09e667f3bcdll;  // the bits of sqrt(1/2)
  k += static_cast<int>(above >> 52);
  bits -= (above >> 52) << 52;
  return {__longlong_as_double(bits) - 1.0, k};
}
// ln(1 + f) - f + half, for 1 + f between sqrt(1/2) and sqrt(2); half = f^2 / 2.
WARPWALK_DEVICE double log1p_rest(double f, double half) {
  constexpr double c[] = {0.66666666666666663, 0.4000000000000089,  0.28571428570795937, 0.22222222393452629,
                          0.181817954545265,   0.15386249788196105, 0.1326850331279476,  0.13089445145246312};
  const double s = f / (2.0 + f), z = s * s;
  // ln(1 + f) = 2 atanh(s) = f - s (f - R), f - 2 s = s f
  return s * (half + z * polynomial(c, z));
}
// ln(1 + f) - f; `low` is added to f.
WARPWALK_DEVICE double log1p_less(double f, double low) {
  const double half = 0.5 * f * f;
  return log1p_rest(f, half) + (low - half);
}
// The logarithm to another base of 1 + f, as a pair; `scale` is 1 / ln(base).
WARPWALK_DEVICE Pair log_to_base(double f, Pair scale) {
  const Pair half = product_of(0.5 * f, f);
  const double rest = log1p_rest(f, half.high) - half.low;
  const Pair p = product_of(f, scale.high), q = product_of(half.high, -scale.high);
  const Pair sum = sum_of(p.high, q.high);
  return {sum.high, sum.low + (p.low + q.low) + fma(f - half.high, scale.low, rest * scale.high)};
}
WARPWALK_DEVICE double log_of(double f, int k, double low) {
  const double n = k;
  const double rest = log1p_less(f, low);
  return fma(n, 0.69314718055994529, f + fma(n, 2.3190468138462996e-17, rest));
}
// ln x as a pair, for a positive finite x.
WARPWALK_DEVICE Pair log_pair(double x) {
  constexpr double c[] = {0.40000000000000002, 0.28571428571429375, 0.22222222221649277, 0.18181818336889324,
                          0.15384594802772,    0.13334813373687013, 0.11706004128016817, 0.11725604536475413};
  const Split m = split(x);
  // s = f / (2 + f), as a pair
  const double d = 2.0 + m.f, d_low = m.f - (d - 2.0);
  const double s = m.f / d;
  const double s_low = (fma(-s, d, m.f) - s * d_low) / d;
  const Pair z = product_of(s, s);
  const double z_low = fma(2.0 * s, s_low, z.low);
  // 2/3 + z R, as a pair, times z
  const double tail = z.high * polynomial(c, z.high);
  Pair r = sum_of(0.66666666666666663, tail);
  r.low += 3.7007434154171883e-17;
  Pair p = product_of(r.high, z.high);
  p.low += fma(r.high, z_low, r.low * z.high);
  Pair cubic = product_of(p.high, s);
  cubic.low += fma(p.high, s_low, p.low * s);
  Pair sum = sum_of(2.0 * s, cubic.high);
  sum.low += fma(2.0, s_low, cubic.low);
  const double n = m.k;
  Pair ln2 = product_of(n, 0.69314718055994529);
  ln2.low += n * 2.3190468138462996e-17;
  Pair total = m.k == 0 ? sum : sum_of(ln2.high, sum.high);
  if (m.k != 0) total.low += ln2.low + sum.low;
  return sum_of(total.high, total.low);
}

// The first 1,280 bits of 2 / pi.
WARPWALK_OUTLINE unsigned long long two_over_pi(int word) {
  constexpr unsigned long long words[] = {
      0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
      0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
      0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
      0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
      0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull, 0xf0cfbc209af4361dull};
  return word < 0 || word >= 20 ? 0 : words[word];
}
// x = q pi/2 + r for a large x (Payne and Hanek): multiplies the bits of x with those bits of 2/pi that matter.
WARPWALK_OUTLINE double reduce_large(double x, int* q, double* low) {
  const long long bits = __double_as_longlong(x);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1075;  // |x| = m 2^exponent
  const unsigned long long m = (static_cast<unsigned long long>(bits) & 0xfffffffffffffull) | 0x10000000000000ull;
  // The bits of 2/pi from 2^(2 - exponent) on; those before contribute multiples of 4.
  const int first = exponent - 2, word = first >> 6, shift = first & 63;
  unsigned long long w[4];
  for (int i = 0; i < 3; ++i) {
    const unsigned long long a = first < 0 && word + i < 0 ? 0 : two_over_pi(word + i);
    const unsigned long long b = two_over_pi(word + i + 1);
    w[i] = shift == 0 ? a : (a << shift) | (b >> (64 - shift));
  }
  // fraction = m * (w0 w1 w2) modulo 4, as 192 bits whose highest two are the quotient
  unsigned long long p0 = m * w[0], p1, p2 = m * w[2];
  const unsigned long long h1 = __umul64hi(m, w[1]), l1 = m * w[1], h2 = __umul64hi(m, w[2]);
  p1 = l1 + h2;
  p0 += h1 + (p1 < l1 ? 1 : 0);
  (void)p2;
  int quotient = static_cast<int>(p0 >> 62);
  unsigned long long high = (p0 << 2) | (p1 >> 62), mid = (p1 << 2) | (p2 >> 62);
  bool negative = false;
  if (static_cast<long long>(high) < 0) {  // 1/2 or more: the next multiple is nearer
    ++quotient, negative = true;
    mid = ~mid + 1, high = ~high + (mid == 0 ? 1 : 0);
  }
  double a = ldexp(static_cast<double>(high >> 11), -53);
  double b = ldexp(static_cast<double>(((high & 0x7ff) << 53) | (mid >> 11)), -117);
  const Pair fraction = sum_of(a, b);
  Pair r = product_of(fraction.high, 1.5707963267948966);
  r.low += fma(fraction.high, 6.123233995736766e-17, fraction.low * 1.5707963267948966);
  const Pair sum = sum_of(r.high, r.low);
  const bool flip = negative != (bits < 0);
  *q = bits < 0 ? -quotient : quotient;
  *low = flip ? -sum.low : sum.low;
  return flip ? -sum.high : sum.high;
}
// x = q pi/2 + r + low, |r| <= pi/4.
WARPWALK_DEVICE double reduce_angle(double x, int* q, double* low) {
  if (!(fabs(x) < 1.0e5)) {
    if (__warpwalk_isfinite(x)) return reduce_large(x, q, low);
    *q = 0, *low = 0;
    return __builtin_nan("");
  }
  const double n = rint(x * 0.63661977236758138);
  *q = static_cast<int>(n);
  const Pair first = product_of(n, 1.5707963267948966);
  const double a = x - first.high, a_low = -first.low;
  const Pair second = product_of(n, 6.123233995736766e-17);
  const double b = __dadd_rn(a, a_low),
               b_low = fabs(a) > fabs(a_low) ? __dsub_rn(a_low, __dsub_rn(b, a)) : __dsub_rn(a, __dsub_rn(b, a_low));
  const double r = __dsub_rn(b, second.high);
  const double t = __dsub_rn(b, r);
  *low =
      (__dsub_rn(t, second.high) + __dsub_rn(b, __dadd_rn(r, t))) + (b_low - second.low - n * -1.4973849048591698e-33);
  return r;
}
WARPWALK_DEVICE double sin_near(double r, double low) {
  constexpr double c[] = {-0.16666666666666666,   0.0083333333333333315,  -0.00019841269841264567,
                          2.7557319218954762e-06, -2.505210610025599e-08, 1.6058510875319195e-10,
                          -7.5854864852359384e-13};
  const double z = r * r;
  return r + fma(z * r, polynomial(c, z), low * fma(z, -0.5, 1.0));
}
WARPWALK_DEVICE double cos_near(double r, double low) {
  constexpr double c[] = {0.041666666666666664,    -0.0013888888888888887, 2.4801587301584367e-05,
                          -2.7557319221189102e-07, 2.0876755717584403e-09, -1.1470449354466773e-11,
                          4.745198807202876e-14};
  const double z = r * r, h = 0.5 * z, w = 1.0 - h;
  return w + (((1.0 - w) - h) + fma(z * z, polynomial(c, z), -r * low));
}

}  // namespace warpwalk_cuda

WARPWALK_DEVICE double exp(double x) {
  int k;
  double low;
  if (!(x > -746.0)) return x != x ? x : 0.0;
  if (x > 710.0) return __builtin_inf();
  const double r = warpwalk_cuda::reduce_exp(x, &k, &low);
  return warpwalk_cuda::exp_of(r, low, k);
}
WARPWALK_DEVICE double exp2(double x) {
  if (!(x > -1076.0)) return x != x ? x : 0.0;
  if (x >= 1025.0) return __builtin_inf();
  const double n = rint(x), f = x - n;
  return warpwalk_cuda::exp_of(f * 0.69314718055994529,
                               fma(f, 0.69314718055994529, -(f * 0.69314718055994529)) + f * 2.3190468138462996e-17,
                               static_cast<int>(n));
}
WARPWALK_DEVICE double exp10(double x) {
  if (!(x > -324.0)) return x != x ? x : 0.0;
  if (x > 309.0) return __builtin_inf();
  const double n = rint(x * 3.3219280948873622);
  const double r = fma(n, 2.8037281277851704e-18, fma(n, -0.3010299956639812, x));
  const double p = r * 2.3025850929940459;
  return warpwalk_cuda::exp_of(p, fma(r, 2.3025850929940459, -p) + r * -2.1707562233822494e-16, static_cast<int>(n));
}
WARPWALK_DEVICE double expm1(double x) {
  if (x > 700.0) return exp(x);
  if (!(x > -50.0)) return x != x ? x : -1.0;
  constexpr double c[] = {0.16666666666666669,    0.041666666666666664,   0.0083333333333297926,  0.0013888888888886361,
                          0.00019841269864380513, 2.4801587318092064e-05, 2.7557266418612302e-06, 2.755728151175639e-07,
                          2.5101346928350339e-08, 2.0911923206857589e-09};
  int k;
  double low;
  const double a = warpwalk_cuda::reduce_exp(x, &k, &low), r = a + low;
  low -= r - a;
  // (1 + p) 2^k - 1, with p = e^r - 1
  const double p_low = fma(r * r * r, warpwalk_cuda::polynomial(c, r), fma(0.5 * r, r, low));
  if (k == 0) return x == 0 ? x : r + p_low;
  const double scale = ldexp(1.0, k);
  const warpwalk_cuda::Pair sum = warpwalk_cuda::sum_of(scale - 1.0, scale * r);
  return fabs(scale - 1.0) < fabs(scale * r) ? (scale - 1.0) + scale * (r + p_low)
                                             : sum.high + fma(scale, p_low, sum.low);
}
WARPWALK_DEVICE double log(double x) {
  if (!(x > 0) || __warpwalk_isinf(x)) return x == 0 ? -__builtin_inf() : x > 0 ? x : __builtin_nan("");
  const warpwalk_cuda::Split m = warpwalk_cuda::split(x);
  return warpwalk_cuda::log_of(m.f, m.k, 0);
}
WARPWALK_DEVICE double log1p(double x) {
  if (!(x > -1.0) || __warpwalk_isinf(x)) return x == -1.0 ? -__builtin_inf() : x > 0 ? x : __builtin_nan("");
  if (x > -0.29 && x < 0.41) return x == 0 ? x : x + warpwalk_cuda::log1p_less(x, 0);
  const double u = 1.0 + x;
  const double lost = fabs(x) < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
  const warpwalk_cuda::Split m = warpwalk_cuda::split(u);
  return warpwalk_cuda::log_of(m.f, m.k, lost / u);
}
WARPWALK_DEVICE double log2(double x) {
  if (!(x > 0) || __warpwalk_isinf(x)) return log(x);
  const warpwalk_cuda::Split m = warpwalk_cuda::split(x);
  const warpwalk_cuda::Pair p = warpwalk_cuda::log_to_base(m.f, {1.4426950408889634, 2.0355273740931033e-17});
  if (m.k == 0) return p.high + p.low;
  const warpwalk_cuda::Pair sum = warpwalk_cuda::sum_of(m.k, p.high);
  return sum.high + (sum.low + p.low);
}
WARPWALK_DEVICE double log10(double x) {
  if (!(x > 0) || __warpwalk_isinf(x)) return log(x);
  const warpwalk_cuda::Split m = warpwalk_cuda::split(x);
  const warpwalk_cuda::Pair p = warpwalk_cuda::log_to_base(m.f, {0.43429448190325182, 1.0983196502167651e-17});
  if (m.k == 0) return p.high + p.low;
  const double n = m.k;
  warpwalk_cuda::Pair whole = warpwalk_cuda::product_of(n, 0.3010299956639812);
  whole.low += n * -2.8037281277851704e-18;
  const warpwalk_cuda::Pair sum = warpwalk_cuda::sum_of(whole.high, p.high);
  return sum.high + (sum.low + (whole.low + p.low));
}
WARPWALK_OUTLINE double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  const double a = fabs(x);
  const bool whole = trunc(y) == y;
  const bool odd = whole && fabs(y) < 0x1p53 && (static_cast<long long>(y) & 1) != 0;
  const double sign = odd && __warpwalk_signbit(x) ? -1.0 : 1.0;
  if (__warpwalk_isinf(y)) return a == 1 ? 1.0 : (a > 1) == (y > 0) ? __builtin_inf() : 0.0;
  if (a == 0 || __warpwalk_isinf(a)) return sign * ((a == 0) == (y > 0) ? 0.0 : __builtin_inf());
  if (x < 0 && !whole) return __builtin_nan("");
  if (a == 1) return sign;
  const warpwalk_cuda::Pair l = warpwalk_cuda::log_pair(a);
  warpwalk_cuda::Pair p = warpwalk_cuda::product_of(l.high, y);
  if (!(p.high < 710.0)) return sign * __builtin_inf();
  if (!(p.high > -746.0)) return sign * 0.0;
  p.low = fma(l.low, y, p.low);
  int k;
  double low;
  const double r = warpwalk_cuda::reduce_exp(p.high, &k, &low);
  return sign * warpwalk_cuda::exp_of(r, low + p.low, k);
}
WARPWALK_DEVICE double powi(double x, int n) { return pow(x, n); }
WARPWALK_DEVICE void sincos(double x, double* s, double* c) {
  int q;
  double low;
  const double r = warpwalk_cuda::reduce_angle(x, &q, &low);
  const double a = warpwalk_cuda::sin_near(r, low), b = warpwalk_cuda::cos_near(r, low);
  const double sine = (q & 1) != 0 ? b : a, cosine = (q & 1) != 0 ? a : b;
  *s = x == 0 ? x : (q & 2) != 0 ? -sine : sine;
  *c = ((q + 1) & 2) != 0 ? -cosine : cosine;
}
WARPWALK_DEVICE double sin(double x) {
  double s, c;
  sincos(x, &s, &c);
  return s;
}
WARPWALK_DEVICE double cos(double x) {
  double s, c;
  sincos(x, &s, &c);
  return c;
}
WARPWALK_DEVICE double tan(double x) {
  int q;
  double low;
  const double r = warpwalk_cuda::reduce_angle(x, &q, &low);
  const double a = warpwalk_cuda::sin_near(r, low), b = warpwalk_cuda::cos_near(r, low);
  return x == 0 ? x : (q & 1) != 0 ? -b / a : a / b;
}
WARPWALK_DEVICE void sincospi(double x, double* s, double* c) {
  const double n = rint(2.0 * x), f = fma(n, -0.5, x);
  const int q = static_cast<int>(fmod(n, 4.0));
  const warpwalk_cuda::Pair r = warpwalk_cuda::product_of(f, 3.1415926535897931);
  const double low = fma(f, 1.2246467991473532e-16, r.low);
  const double a = warpwalk_cuda::sin_near(r.high, low), b = warpwalk_cuda::cos_near(r.high, low);
  const double sine = (q & 1) != 0 ? b : a, cosine = (q & 1) != 0 ? a : b;
  *s = (q & 2) != 0 ? -sine : sine;
  *c = ((q + 1) & 2) != 0 ? -cosine : cosine;
}
WARPWALK_DEVICE double sinpi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return s;
}
WARPWALK_DEVICE double cospi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return c;
}
