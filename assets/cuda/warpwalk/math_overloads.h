// The overloads of C++ for float and integers, in the global namespace and in std.
#pragma once

// clang-format off

#include "math_float.h"

namespace warpwalk_cuda {
template <bool, class T>
struct Only {};
template <class T>
struct Only<true, T> {
  using Type = T;
};
// double, if the argument is an integer; if two arguments differ or are integers.
template <class T>
struct Double1 : Only<__is_integral(T), double> {};
template <class T, class U>
struct Double2 : Only<!__is_same(T, U) || __is_integral(T), double> {};
}  // namespace warpwalk_cuda

#define WARPWALK_OVERLOAD_1(NAME, FLOAT)                                                              \
  WARPWALK_DEVICE float NAME(float x) { return FLOAT(x); }                                            \
  template <class T>                                                                                  \
  WARPWALK_DEVICE typename warpwalk_cuda::Double1<T>::Type NAME(T x) {            \
    return NAME(static_cast<double>(x));                                                              \
  }
WARPWALK_OVERLOAD_1(fabs, fabsf) WARPWALK_OVERLOAD_1(sqrt, sqrtf) WARPWALK_OVERLOAD_1(rsqrt, rsqrtf)
WARPWALK_OVERLOAD_1(floor, floorf) WARPWALK_OVERLOAD_1(ceil, ceilf) WARPWALK_OVERLOAD_1(trunc, truncf)
WARPWALK_OVERLOAD_1(rint, rintf) WARPWALK_OVERLOAD_1(nearbyint, nearbyintf) WARPWALK_OVERLOAD_1(round, roundf)
WARPWALK_OVERLOAD_1(exp, expf) WARPWALK_OVERLOAD_1(exp2, exp2f) WARPWALK_OVERLOAD_1(exp10, exp10f)
WARPWALK_OVERLOAD_1(expm1, expm1f) WARPWALK_OVERLOAD_1(log, logf) WARPWALK_OVERLOAD_1(log2, log2f)
WARPWALK_OVERLOAD_1(log10, log10f) WARPWALK_OVERLOAD_1(log1p, log1pf) WARPWALK_OVERLOAD_1(logb, logbf)
WARPWALK_OVERLOAD_1(sin, sinf) WARPWALK_OVERLOAD_1(cos, cosf) WARPWALK_OVERLOAD_1(tan, tanf)
WARPWALK_OVERLOAD_1(sinpi, sinpif) WARPWALK_OVERLOAD_1(cospi, cospif) WARPWALK_OVERLOAD_1(asin, asinf)
WARPWALK_OVERLOAD_1(acos, acosf) WARPWALK_OVERLOAD_1(atan, atanf) WARPWALK_OVERLOAD_1(sinh, sinhf)
WARPWALK_OVERLOAD_1(cosh, coshf) WARPWALK_OVERLOAD_1(tanh, tanhf) WARPWALK_OVERLOAD_1(asinh, asinhf)
WARPWALK_OVERLOAD_1(acosh, acoshf) WARPWALK_OVERLOAD_1(atanh, atanhf) WARPWALK_OVERLOAD_1(cbrt, cbrtf)
WARPWALK_OVERLOAD_1(rcbrt, rcbrtf) WARPWALK_OVERLOAD_1(erf, erff) WARPWALK_OVERLOAD_1(erfc, erfcf)
WARPWALK_OVERLOAD_1(erfcx, erfcxf) WARPWALK_OVERLOAD_1(normcdf, normcdff) WARPWALK_OVERLOAD_1(tgamma, tgammaf)
WARPWALK_OVERLOAD_1(lgamma, lgammaf)
#undef WARPWALK_OVERLOAD_1

#define WARPWALK_OVERLOAD_2(NAME, FLOAT)                                                                          \
  WARPWALK_DEVICE float NAME(float x, float y) { return FLOAT(x, y); }                                            \
  template <class T, class U>                                                                                     \
  WARPWALK_DEVICE typename warpwalk_cuda::Double2<T, U>::Type NAME(T x, U y) { \
    return NAME(static_cast<double>(x), static_cast<double>(y));                                                  \
  }
WARPWALK_OVERLOAD_2(pow, powf) WARPWALK_OVERLOAD_2(fmod, fmodf) WARPWALK_OVERLOAD_2(remainder, remainderf)
WARPWALK_OVERLOAD_2(atan2, atan2f) WARPWALK_OVERLOAD_2(hypot, hypotf) WARPWALK_OVERLOAD_2(fmin, fminf)
WARPWALK_OVERLOAD_2(fmax, fmaxf) WARPWALK_OVERLOAD_2(fdim, fdimf) WARPWALK_OVERLOAD_2(copysign, copysignf)
WARPWALK_OVERLOAD_2(nextafter, nextafterf)
#undef WARPWALK_OVERLOAD_2

WARPWALK_DEVICE float fma(float a, float b, float c) { return fmaf(a, b, c); }
WARPWALK_DEVICE float pow(float a, int b) { return powf(a, static_cast<float>(b)); }
WARPWALK_DEVICE double pow(double a, int b) { return pow(a, static_cast<double>(b)); }
WARPWALK_DEVICE float ldexp(float v, int n) { return ldexpf(v, n); }
WARPWALK_DEVICE float scalbn(float v, int n) { return ldexpf(v, n); }
WARPWALK_DEVICE float frexp(float v, int* e) { return frexpf(v, e); }
WARPWALK_DEVICE float modf(float v, float* whole) { return modff(v, whole); }
WARPWALK_DEVICE int ilogb(float v) { return ilogbf(v); }
WARPWALK_DEVICE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
WARPWALK_DEVICE float abs(float v) { return fabsf(v); }
WARPWALK_DEVICE double abs(double v) { return fabs(v); }
WARPWALK_DEVICE long lrint(float v) { return lrintf(v); }
WARPWALK_DEVICE long lround(float v) { return lroundf(v); }
WARPWALK_DEVICE long long llrint(float v) { return llrintf(v); }
WARPWALK_DEVICE long long llround(float v) { return llroundf(v); }
WARPWALK_DEVICE float min(float a, float b) { return fminf(a, b); }
WARPWALK_DEVICE float max(float a, float b) { return fmaxf(a, b); }
WARPWALK_DEVICE double min(double a, double b) { return fmin(a, b); }
WARPWALK_DEVICE double max(double a, double b) { return fmax(a, b); }
WARPWALK_DEVICE double min(float a, double b) { return fmin(a, b); }
WARPWALK_DEVICE double max(float a, double b) { return fmax(a, b); }
WARPWALK_DEVICE double min(double a, float b) { return fmin(a, b); }
WARPWALK_DEVICE double max(double a, float b) { return fmax(a, b); }

#define WARPWALK_CLASS(NAME)                                              \
  WARPWALK_DEVICE bool NAME(float v) { return __warpwalk_##NAME(v) != 0; }   \
  WARPWALK_DEVICE bool NAME(double v) { return __warpwalk_##NAME(v) != 0; }
WARPWALK_CLASS(isnan) WARPWALK_CLASS(isinf) WARPWALK_CLASS(isfinite) WARPWALK_CLASS(signbit)
#undef WARPWALK_CLASS

// Known in std before the C++ library defines its own, which call functions of the host.
namespace std {
using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2; using ::atanh;
using ::cbrt; using ::ceil; using ::copysign; using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp;
using ::exp2; using ::expm1; using ::fabs; using ::fdim; using ::floor; using ::fma; using ::fmax; using ::fmin;
using ::fmod; using ::frexp; using ::hypot; using ::ilogb; using ::isfinite; using ::isinf; using ::isnan;
using ::labs; using ::ldexp; using ::lgamma; using ::llabs; using ::llrint; using ::llround; using ::log;
using ::log10; using ::log1p; using ::log2; using ::logb; using ::lrint; using ::lround; using ::modf;
using ::nearbyint; using ::nextafter; using ::pow; using ::remainder; using ::remquo; using ::rint; using ::round;
using ::scalbn; using ::signbit; using ::sin; using ::sinh; using ::sqrt; using ::tan; using ::tanh; using ::tgamma;
using ::trunc; using ::acosf; using ::asinf; using ::atan2f; using ::atanf; using ::ceilf; using ::cosf; using ::expf;
using ::fabsf; using ::floorf; using ::fmaf; using ::fmaxf; using ::fminf; using ::logf; using ::powf; using ::sinf;
using ::sqrtf; using ::tanf; using ::tanhf;
}  // namespace std
