// Mathematical functions of float. Those that have no arithmetic of their own round the function of double.
#pragma once

#include "math_more.h"

namespace warpwalk_cuda {

// e^(r + low) 2^k, for |r| <= ln 2 / 2
WARPWALK_DEVICE float exp_of(float r, float k) {
  constexpr float c[] = {0.5f, 0.166665733f, 0.0416665487f, 0.00836377405f, 0.00139269268f};
  const float p = fmaf(r * r, polynomial(c, r), r) + 1.0f;
  // Two factors, so that small results are rounded once.
  const float half = truncf(k * 0.5f);
  return p * __int_as_float((static_cast<int>(half) + 127) << 23) *
         __int_as_float((static_cast<int>(k - half) + 127) << 23);
}
// e^x 2^scale, for a finite result
WARPWALK_DEVICE float scaled_exp(float x, float scale) {
  const float k = rintf(x * 1.44269502f);
  return exp_of(fmaf(k, 1.90465421e-09f, fmaf(k, -0.693147182f, x)), k + scale);
}
WARPWALK_DEVICE float reduce_angle(float x, int* q) {
  if (!(fabsf(x) < 48039.0f)) {
    double low;
    return static_cast<float>(reduce_angle(static_cast<double>(x), q, &low));
  }
  const float n = rintf(x * 0.636619747f);
  *q = static_cast<int>(n);
  float r = fmaf(n, -1.57079637f, x);
  r = fmaf(n, 4.37113883e-08f, r);
  return fmaf(n, 1.71512451e-15f, r);
}
WARPWALK_DEVICE float sin_near(float r) {
  constexpr float c[] = {-0.166666672f, 0.00833333191f, -0.00019840039f, 2.72437819e-06f};
  const float z = r * r;
  return fmaf(z * r, polynomial(c, z), r);
}
WARPWALK_DEVICE float cos_near(float r) {
  constexpr float c[] = {0.0416666642f, -0.00138882792f, 2.4542871e-05f};
  const float z = r * r, h = 0.5f * z, w = 1.0f - h;
  return w + fmaf(z * z, polynomial(c, z), (1.0f - w) - h);
}
// f and k with x = (1 + f) 2^k, f between -1/3 and 1/3
WARPWALK_DEVICE float split(float x, float* k) {
  float base = 0;
  if (x < 0x1p-126f) x *= 0x1p24f, base = -24.0f;
  const int bits = __float_as_int(x), above = (bits - 0x3f2aaaab) >> 23;  // the bits of 2/3
  *k = base + static_cast<float>(above);
  return __int_as_float(bits - (above << 23)) - 1.0f;
}
// ln(1 + f) - f + f^2 / 2, where square = f^2
WARPWALK_DEVICE float log1p_rest(float f, float square) {
  constexpr float c[] = {0.333333343f,  -0.249999434f, 0.199999481f,  -0.16673325f, 0.142918751f,
                         -0.122885354f, 0.10915482f,   -0.124233238f, 0.113316573f};
  return f * square * polynomial(c, f);
}
// ln(1 + f) - f
WARPWALK_DEVICE float log1p_less(float f) {
  const float square = f * f;
  return fmaf(square, -0.5f, log1p_rest(f, square));
}
WARPWALK_DEVICE bool special_log(float x) { return !(x > 0) || __warpwalk_isinf(x); }
WARPWALK_DEVICE float log_of_special(float x) { return x == 0 ? -__builtin_inff() : x > 0 ? x : __builtin_nanf(""); }

}  // namespace warpwalk_cuda

WARPWALK_DEVICE float expf(float x) {
  if (!(x > -104.0f)) return x != x ? x : 0.0f;
  if (x > 89.0f) return __builtin_inff();
  return warpwalk_cuda::scaled_exp(x, 0.0f);
}
WARPWALK_DEVICE float exp2f(float x) {
  if (!(x > -151.0f)) return x != x ? x : 0.0f;
  if (x >= 129.0f) return __builtin_inff();
  const float k = rintf(x), f = x - k;
  return warpwalk_cuda::exp_of(fmaf(f, 0.693147182f, f * -1.90465421e-09f), k);
}
WARPWALK_DEVICE float exp10f(float x) {
  if (!(x > -46.0f)) return x != x ? x : 0.0f;
  if (x > 39.0f) return __builtin_inff();
  const float k = rintf(x * 3.32192802f);
  const float r = fmaf(k, 1.43209888e-08f, fmaf(k, -0.30103001f, x));
  return warpwalk_cuda::exp_of(fmaf(r, 2.30258512f, r * -3.19754436e-08f), k);
}
WARPWALK_DEVICE float logf(float x) {
  if (warpwalk_cuda::special_log(x)) return warpwalk_cuda::log_of_special(x);
  float k;
  const float f = warpwalk_cuda::split(x, &k);
  const float rest = fmaf(k, -1.90465421e-09f, warpwalk_cuda::log1p_less(f));
  return fmaf(k, 0.693147182f, f + rest);
}
WARPWALK_DEVICE float log2f(float x) {
  if (warpwalk_cuda::special_log(x)) return warpwalk_cuda::log_of_special(x);
  float k;
  const float f = warpwalk_cuda::split(x, &k);
  // f - f^2 / 2 in two floats, times 1 / ln 2 in two floats
  const float square = __fmul_rn(f, f), square_low = fmaf(f, f, -square);
  const float a = __fmaf_rn(-0.5f, square, f), a_low = __fmaf_rn(-0.5f, square, __fsub_rn(f, a));
  const float rest = fmaf(-0.5f, square_low, a_low + warpwalk_cuda::log1p_rest(f, square));
  const float p = __fmul_rn(a, 1.44269502f);
  const float low = fmaf(rest, 1.44269502f, fmaf(a, 1.92596303e-08f, fmaf(a, 1.44269502f, -p)));
  const float sum = __fadd_rn(k, p), sum_low = k == 0 ? 0.0f : __fsub_rn(p, __fsub_rn(sum, k));
  return sum + (sum_low + low);
}
WARPWALK_DEVICE float log10f(float x) {
  if (warpwalk_cuda::special_log(x)) return warpwalk_cuda::log_of_special(x);
  float k;
  const float f = warpwalk_cuda::split(x, &k);
  const float rest = warpwalk_cuda::log1p_less(f);
  const float p = fmaf(f, 0.434294492f, fmaf(rest, 0.434294492f, f * -1.010305e-08f));
  return fmaf(k, 0.30103001f, fmaf(k, -1.43209888e-08f, p));
}
WARPWALK_DEVICE float log1pf(float x) {
  if (x > -0.333f && x < 0.333f) return x == 0 ? x : x + warpwalk_cuda::log1p_less(x);
  return static_cast<float>(log(1.0 + x));
}
WARPWALK_DEVICE float expm1f(float x) {
  if (x != x) return x;
  if (x < -20.0f) return -1.0f;
  if (x > 60.0f) return expf(x);
  constexpr float c[] = {0.166666672f, 0.0416666679f, 0.00833333377f, 0.00138888892f, 0.000198412701f};
  const float k = rintf(x * 1.44269502f);
  const float r = fmaf(k, 1.90465421e-09f, fmaf(k, -0.693147182f, x));
  // (1 + p) 2^k - 1, with p = e^r - 1
  const float p = fmaf(r * r, fmaf(r, warpwalk_cuda::polynomial(c, r), 0.5f), r);
  const float scale = __int_as_float((static_cast<int>(k) + 127) << 23);
  return k == 0 ? (x == 0 ? x : p) : fmaf(scale, p, scale - 1.0f);
}
WARPWALK_DEVICE void sincosf(float x, float* s, float* c) {
  int q;
  const float r = warpwalk_cuda::reduce_angle(x, &q);
  const float a = warpwalk_cuda::sin_near(r), b = warpwalk_cuda::cos_near(r);
  const float sine = (q & 1) != 0 ? b : a, cosine = (q & 1) != 0 ? a : b;
  *s = (q & 2) != 0 ? -sine : sine;
  *c = ((q + 1) & 2) != 0 ? -cosine : cosine;
}
WARPWALK_DEVICE float sinf(float x) {
  float s, c;
  sincosf(x, &s, &c);
  return x == 0 ? x : s;
}
WARPWALK_DEVICE float cosf(float x) {
  float s, c;
  sincosf(x, &s, &c);
  return c;
}
WARPWALK_DEVICE float tanf(float x) {
  int q;
  const float r = warpwalk_cuda::reduce_angle(x, &q);
  const float a = warpwalk_cuda::sin_near(r), b = warpwalk_cuda::cos_near(r);
  return x == 0 ? x : (q & 1) != 0 ? -b / a : a / b;
}
WARPWALK_DEVICE float tanhf(float x) {
  const float a = fabsf(x);
  if (a < 0.6f) {
    constexpr float c[] = {-0.333333343f, 0.133333132f, -0.0539615527f, 0.0217883214f, -0.00841007102f, 0.00237076567f};
    const float z = x * x;
    return fmaf(x * z, warpwalk_cuda::polynomial(c, z), x);
  }
  return copysignf(a > 10.0f ? 1.0f : 1.0f - 2.0f / (expf(2.0f * a) + 1.0f), x) + (x - x);
}
WARPWALK_DEVICE float erff(float x) {
  const float a = fabsf(x);
  if (a < 0.921875f) {
    constexpr float c[] = {0.128379166f,   -0.376126349f,    0.112836994f,   -0.0268595889f,
                           0.00520145614f, -0.000814708124f, 8.38707419e-05f};
    return fmaf(x, warpwalk_cuda::polynomial(c, x * x), x);
  }
  constexpr float c[] = {0.000318539649f, -1.13023102f,    -0.631823897f,    -0.110087164f,  0.0264276378f,
                         -0.00476262579f, 0.000597585749f, -4.61638592e-05f, 1.64306368e-06f};
  return x != x ? x : copysignf(a > 4.0f ? 1.0f : 1.0f - expf(warpwalk_cuda::polynomial(c, a)), x);
}
WARPWALK_DEVICE float powf(float x, float y) {
  if (y == 0 || x == 1) return 1;
  const float a = fabsf(x);
  const bool whole = truncf(y) == y;
  const bool odd = whole && fabsf(y) < 0x1p24f && (static_cast<int>(y) & 1) != 0;
  const float sign = odd && __warpwalk_signbit(x) ? -1.0f : 1.0f;
  if (x != x || y != y) return x + y;
  if (__warpwalk_isinf(y)) return a == 1 ? 1.0f : (a > 1) == (y > 0) ? __builtin_inff() : 0.0f;
  if (a == 0 || __warpwalk_isinf(a)) return sign * ((a == 0) == (y > 0) ? 0.0f : __builtin_inff());
  if (x < 0 && !whole) return __builtin_nanf("");
  return static_cast<float>(sign * exp2(y * log2(static_cast<double>(a))));
}
WARPWALK_DEVICE float sinhf(float x) {
  const float a = fabsf(x);
  if (a < 1.0f) {
    constexpr float c[] = {0.166666672f, 0.00833333377f, 0.000198412701f, 2.75573188e-06f, 2.5052108e-08f};
    return fmaf(x * x * x, warpwalk_cuda::polynomial(c, x * x), x);
  }
  if (!(a < 90.0f)) return x * __builtin_inff();
  const float e = warpwalk_cuda::scaled_exp(a, -1.0f);  // half of e^a, which may be too large itself
  return copysignf(e - 0.25f / e, x);
}
WARPWALK_DEVICE float coshf(float x) {
  if (!(fabsf(x) < 90.0f)) return x * x * __builtin_inff();
  const float e = warpwalk_cuda::scaled_exp(fabsf(x), -1.0f);
  return e + 0.25f / e;
}
#define WARPWALK_ROUNDED_1(NAME) \
  WARPWALK_DEVICE float NAME##f(float x) { return static_cast<float>(NAME(static_cast<double>(x))); }
WARPWALK_ROUNDED_1(asin)
WARPWALK_ROUNDED_1(acos)
WARPWALK_ROUNDED_1(atan)
WARPWALK_ROUNDED_1(asinh)
WARPWALK_ROUNDED_1(acosh)
WARPWALK_ROUNDED_1(atanh)
WARPWALK_ROUNDED_1(cbrt)
WARPWALK_ROUNDED_1(rcbrt)
WARPWALK_ROUNDED_1(erfc)
WARPWALK_ROUNDED_1(erfcx)
WARPWALK_ROUNDED_1(normcdf)
WARPWALK_ROUNDED_1(tgamma)
WARPWALK_ROUNDED_1(lgamma)
WARPWALK_ROUNDED_1(sinpi)
WARPWALK_ROUNDED_1(cospi)
#undef WARPWALK_ROUNDED_1
WARPWALK_DEVICE float atan2f(float y, float x) {
  return static_cast<float>(atan2(static_cast<double>(y), static_cast<double>(x)));
}
WARPWALK_DEVICE void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
