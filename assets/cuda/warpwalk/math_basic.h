// Mathematical functions that are a few instructions, and the parts that the others share.
#pragma once

#include "conversions.h"

WARPWALK_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WARPWALK_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
WARPWALK_DEVICE float fabsf(float v) { return __builtin_fabsf(v); }
WARPWALK_DEVICE double fabs(double v) { return __builtin_fabs(v); }
WARPWALK_DEVICE float sqrtf(float v) { return __fsqrt_rn(v); }
WARPWALK_DEVICE double sqrt(double v) { return __dsqrt_rn(v); }
WARPWALK_DEVICE float rsqrtf(float v) { return __warpwalk_rsqrt(v); }
WARPWALK_DEVICE float floorf(float v) { return __builtin_floorf(v); }
WARPWALK_DEVICE double floor(double v) { return __builtin_floor(v); }
WARPWALK_DEVICE float ceilf(float v) { return __builtin_ceilf(v); }
WARPWALK_DEVICE double ceil(double v) { return __builtin_ceil(v); }
WARPWALK_DEVICE float truncf(float v) { return __builtin_truncf(v); }
WARPWALK_DEVICE double trunc(double v) { return __builtin_trunc(v); }
WARPWALK_DEVICE float rintf(float v) { return __builtin_rintf(v); }
WARPWALK_DEVICE double rint(double v) { return __builtin_rint(v); }
WARPWALK_DEVICE float nearbyintf(float v) { return rintf(v); }
WARPWALK_DEVICE double nearbyint(double v) { return rint(v); }
WARPWALK_DEVICE float copysignf(float a, float b) {
  return __uint_as_float((__float_as_uint(a) & 0x7fffffffu) | (__float_as_uint(b) & 0x80000000u));
}
WARPWALK_DEVICE double copysign(double a, double b) {
  return __longlong_as_double((__double_as_longlong(a) & 0x7fffffffffffffffll) |
                              (__double_as_longlong(b) & static_cast<long long>(0x8000000000000000ull)));
}
WARPWALK_DEVICE float roundf(float v) {
  const float t = truncf(v);
  return fabsf(v - t) >= 0.5f ? t + copysignf(1.0f, v) : copysignf(t, v);
}
WARPWALK_DEVICE double round(double v) {
  const double t = trunc(v);
  return fabs(v - t) >= 0.5 ? t + copysign(1.0, v) : copysign(t, v);
}
WARPWALK_DEVICE int __warpwalk_isnan(float v) { return v != v; }
WARPWALK_DEVICE int __warpwalk_isnan(double v) { return v != v; }
WARPWALK_DEVICE int __warpwalk_isinf(float v) { return fabsf(v) == __builtin_inff(); }
WARPWALK_DEVICE int __warpwalk_isinf(double v) { return fabs(v) == __builtin_inf(); }
WARPWALK_DEVICE int __warpwalk_isfinite(float v) { return fabsf(v) < __builtin_inff(); }
WARPWALK_DEVICE int __warpwalk_isfinite(double v) { return fabs(v) < __builtin_inf(); }
WARPWALK_DEVICE int __warpwalk_signbit(float v) { return __float_as_int(v) < 0; }
WARPWALK_DEVICE int __warpwalk_signbit(double v) { return __double_as_longlong(v) < 0; }
WARPWALK_DEVICE float fminf(float a, float b) {
  float r;
  asm("min.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
WARPWALK_DEVICE float fmaxf(float a, float b) {
  float r;
  asm("max.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
WARPWALK_DEVICE double fmin(double a, double b) {
  double r;
  asm("min.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}
WARPWALK_DEVICE double fmax(double a, double b) {
  double r;
  asm("max.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}
WARPWALK_DEVICE float fdimf(float a, float b) { return a <= b ? 0.0f : a - b; }
WARPWALK_DEVICE double fdim(double a, double b) { return a <= b ? 0.0 : a - b; }
WARPWALK_DEVICE double rsqrt(double v) {
  if (!(v > 0) || __warpwalk_isinf(v)) return v == 0 ? copysign(__builtin_inf(), v) : v > 0 ? 0.0 : __builtin_nan("");
  const bool tiny = v < 0x1p-1000;
  const double x = tiny ? v * 0x1p100 : v;
  double r = 1.0 / sqrt(x);
  r = fma(0.5 * r, fma(-x * r, r, 1.0) - fma(x, r, -(x * r)) * r, r);  // removes the error of the rounded root
  return tiny ? r * 0x1p50 : r;
}

WARPWALK_DEVICE float ldexpf(float v, int n) {
  n = n < -300 ? -300 : n > 300 ? 300 : n;  // three factors, so that each is a normal number
  const int a = n / 3, b = n - 2 * a;
  const float step = __int_as_float((a + 127) << 23);
  return v * step * step * __int_as_float((b + 127) << 23);
}
WARPWALK_DEVICE double ldexp(double v, int n) {
  n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
  const int a = n / 3, b = n - 2 * a;
  const double step = __hiloint2double((a + 1023) << 20, 0);
  return v * step * step * __hiloint2double((b + 1023) << 20, 0);
}
WARPWALK_DEVICE float scalbnf(float v, int n) { return ldexpf(v, n); }
WARPWALK_DEVICE double scalbn(double v, int n) { return ldexp(v, n); }
WARPWALK_DEVICE double frexp(double v, int* exponent) {
  *exponent = 0;
  if (v == 0 || !__warpwalk_isfinite(v)) return v;
  const bool tiny = fabs(v) < 0x1p-1022;
  const long long bits = __double_as_longlong(tiny ? v * 0x1p64 : v);
  *exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1022 - (tiny ? 64 : 0);
  return __longlong_as_double((bits & static_cast<long long>(0x800fffffffffffffull)) | 0x3fe0000000000000ll);
}
WARPWALK_DEVICE float frexpf(float v, int* exponent) { return static_cast<float>(frexp(v, exponent)); }
WARPWALK_DEVICE int ilogb(double v) {
  if (v == 0) return -2147483647 - 1;
  if (!__warpwalk_isfinite(v)) return v != v ? -2147483647 - 1 : 2147483647;
  int e;
  frexp(v, &e);
  return e - 1;
}
WARPWALK_DEVICE int ilogbf(float v) { return ilogb(v); }
WARPWALK_DEVICE double logb(double v) {
  return v == 0 ? -__builtin_inf() : !__warpwalk_isfinite(v) ? v * v : static_cast<double>(ilogb(v));
}
WARPWALK_DEVICE float logbf(float v) { return static_cast<float>(logb(v)); }
WARPWALK_DEVICE float modff(float v, float* whole) {
  *whole = truncf(v);
  return copysignf(__warpwalk_isinf(v) ? 0.0f : v - *whole, v);
}
WARPWALK_DEVICE double modf(double v, double* whole) {
  *whole = trunc(v);
  return copysign(__warpwalk_isinf(v) ? 0.0 : v - *whole, v);
}
WARPWALK_DEVICE long lrintf(float v) { return __float2ll_rn(v); }
WARPWALK_DEVICE long lrint(double v) { return __double2ll_rn(v); }
WARPWALK_DEVICE long long llrintf(float v) { return __float2ll_rn(v); }
WARPWALK_DEVICE long long llrint(double v) { return __double2ll_rn(v); }
WARPWALK_DEVICE long lroundf(float v) { return static_cast<long>(roundf(v)); }
WARPWALK_DEVICE long lround(double v) { return static_cast<long>(round(v)); }
WARPWALK_DEVICE long long llroundf(float v) { return static_cast<long long>(roundf(v)); }
WARPWALK_DEVICE long long llround(double v) { return static_cast<long long>(round(v)); }

// The quotient's lowest bits are needed by remquo(). Each step subtracts a multiple of b that is exact.
WARPWALK_OUTLINE double __warpwalk_remainder(double a, double b, bool nearest, int* quotient) {
  *quotient = 0;
  if (!__warpwalk_isfinite(a) || b == 0 || b != b) return __builtin_nan("");
  if (__warpwalk_isinf(b)) return a;
  const double divisor = fabs(b);
  double r = fabs(a);
  unsigned int q = 0;
  if (r >= divisor) {
    int er, ed;
    frexp(r, &er), frexp(divisor, &ed);
    for (int n = er - ed; n >= 0; --n) {
      const double part = ldexp(divisor, n);
      q <<= 1;
      if (r >= part) r -= part, q |= 1;
    }
  }
  if (nearest) {
    const double rest = divisor - r;  // r > divisor / 2 without overflow or rounding
    if (r > rest || (r == rest && (q & 1) != 0)) r -= divisor, ++q;
  }
  const int magnitude = static_cast<int>(q & 0x7fffffffu);
  *quotient = (a < 0) != (b < 0) ? -magnitude : magnitude;
  return a < 0 || (a == 0 && __warpwalk_signbit(a)) ? -r : r;
}
WARPWALK_DEVICE double fmod(double a, double b) {
  int q;
  return __warpwalk_remainder(a, b, false, &q);
}
WARPWALK_DEVICE double remainder(double a, double b) {
  int q;
  return __warpwalk_remainder(a, b, true, &q);
}
WARPWALK_DEVICE double remquo(double a, double b, int* q) { return __warpwalk_remainder(a, b, true, q); }
WARPWALK_DEVICE float fmodf(float a, float b) { return static_cast<float>(fmod(a, b)); }
WARPWALK_DEVICE float remainderf(float a, float b) { return static_cast<float>(remainder(a, b)); }
WARPWALK_DEVICE float remquof(float a, float b, int* q) { return static_cast<float>(remquo(a, b, q)); }
WARPWALK_DEVICE double nextafter(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0) return copysign(0x1p-1074, b);
  const long long bits = __double_as_longlong(a);
  return __longlong_as_double((a < b) == (a > 0) ? bits + 1 : bits - 1);
}
WARPWALK_DEVICE float nextafterf(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0) return copysignf(0x1p-149f, b);
  const int bits = __float_as_int(a);
  return __int_as_float((a < b) == (a > 0) ? bits + 1 : bits - 1);
}
WARPWALK_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
WARPWALK_DEVICE double nan(const char*) { return __builtin_nan(""); }
WARPWALK_DEVICE double hypot(double a, double b) {
  a = fabs(a), b = fabs(b);
  if (__warpwalk_isinf(a) || __warpwalk_isinf(b)) return __builtin_inf();
  const double big = a > b ? a : b, small = a > b ? b : a;
  if (a != a || b != b) return a + b;
  if (big == 0) return 0;
  const double scale = big > 0x1p500 ? 0x1p-600 : small < 0x1p-500 ? 0x1p600 : 1.0;
  const double x = big * scale, y = small * scale;
  const double s = fma(x, x, y * y);
  double r = sqrt(s);
  // One step of Newton's method on x^2 + y^2 - r^2, without rounding in between.
  const double rr = r * r, xx = x * x, yy = y * y;
  const double rest = ((xx - rr) + yy) + ((fma(x, x, -xx) + fma(y, y, -yy)) - fma(r, r, -rr));
  if (r > 0) r += rest / (2 * r);
  return r / scale;
}
WARPWALK_DEVICE float hypotf(float a, float b) {
  if (__warpwalk_isinf(a) || __warpwalk_isinf(b)) return __builtin_inff();
  const double x = a, y = b;
  return static_cast<float>(sqrt(fma(x, x, y * y)));
}
WARPWALK_DEVICE double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
WARPWALK_DEVICE float rhypotf(float a, float b) { return static_cast<float>(1.0 / hypot(a, b)); }
WARPWALK_DEVICE double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
WARPWALK_DEVICE double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
WARPWALK_DEVICE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
WARPWALK_DEVICE double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
WARPWALK_DEVICE float norm3df(float a, float b, float c) { return static_cast<float>(norm3d(a, b, c)); }
WARPWALK_DEVICE float norm4df(float a, float b, float c, float d) { return static_cast<float>(norm4d(a, b, c, d)); }
WARPWALK_DEVICE float rnorm3df(float a, float b, float c) { return static_cast<float>(rnorm3d(a, b, c)); }
WARPWALK_DEVICE float rnorm4df(float a, float b, float c, float d) { return static_cast<float>(rnorm4d(a, b, c, d)); }

namespace warpwalk_cuda {

// The polynomial c[0] + c[1] x + ... by Horner's rule.
template <class T, int N>
WARPWALK_DEVICE T polynomial(const T (&c)[N], T x) {
  T r = c[N - 1];
#pragma unroll
  for (int i = N - 2; i >= 0; --i) r = sizeof(T) == 4 ? __builtin_fmaf(r, x, c[i]) : __builtin_fma(r, x, c[i]);
  return r;
}

// A number as the sum of two, of which the second is at most half a unit in the last place of the first.
struct Pair {
  double high, low;
};
WARPWALK_DEVICE Pair sum_of(double a, double b) {  // |a| >= |b|
  const double s = __dadd_rn(a, b);
  return {s, __dsub_rn(b, __dsub_rn(s, a))};
}
WARPWALK_DEVICE Pair product_of(double a, double b) {
  const double p = __dmul_rn(a, b);
  return {p, fma(a, b, -p)};
}

}  // namespace warpwalk_cuda
