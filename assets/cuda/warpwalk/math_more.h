// More mathematical functions of double: inverse and hyperbolic functions, roots, the error and gamma functions.
#pragma once

#include "math_double.h"

namespace warpwalk_cuda {

WARPWALK_DEVICE double atan_near(double x) {  // x + x^3 ..., for |x| <= tan(pi / 16) and a little more
  constexpr double c[] = {-0.33333333333333331, 0.1999999999999991,    -0.14285714285660833,
                          0.11111111099041737,  -0.090909077236655353, 0.076922204906078623,
                          -0.06663387153487163, 0.058099309896547567,  -0.043847269969799471};
  const double z = x * x;
  return x * z * polynomial(c, z);
}
// asin(x) - x, for |x| <= 1/2
WARPWALK_DEVICE double asin_near(double x) {
  constexpr double c[] = {0.16666666666666666,   0.075000000000001191,  0.044642857142550188,  0.030381944475693704,
                          0.022372157435623815,  0.017352816768546473,  0.013963775787848137,  0.011566511821890942,
                          0.0096214027473448295, 0.0093221015010827735, 0.0030350071727267623, 0.019579201619744684,
                          -0.019277545928584557, 0.029635026263548549};
  const double z = x * x;
  return x * z * polynomial(c, z);
}
// atan(y / x) for y, x >= 0, not both 0: atan(t) = atan(k/4) + atan((t - k/4) / (1 + t k/4)), k from 0 to 4.
WARPWALK_DEVICE double atan_quotient(double y, double x) {
  const bool swapped = y > x;
  const double a = swapped ? x : y, b = swapped ? y : x;  // a <= b
  const int k = static_cast<int>(rint(4.0 * (a / b)));
  const double c = 0.25 * k;
  // (a - c b) / (b + c a), with the rounding error of the quotient
  const double n = fma(-c, b, a), d = fma(c, a, b);
  const double t = n / d;
  const double t_low = (fma(-t, d, n) - t * fma(c, a, b - d)) / d;
  constexpr double high[] = {0, 0.24497866312686414, 0.46364760900080609, 0.64350110879328437, 0.78539816339744828};
  constexpr double low[] = {0, 1.0698755561444725e-17, 2.2698777452961687e-17, 1.5834785171410192e-17,
                            3.0616169978683830e-17};
  double r_high = high[k], r_low = low[k] + atan_near(t) + t_low;
  Pair r = k == 0 ? sum_of(t, r_low) : sum_of(r_high, t);
  if (k != 0) r.low += r_low;
  if (!swapped) return r.high + r.low;
  const Pair s = sum_of(1.5707963267948966, -r.high);
  return s.high + (s.low + (6.123233995736766e-17 - r.low));
}

}  // namespace warpwalk_cuda

WARPWALK_DEVICE double atan(double x) {
  if (x != x) return x;
  const double r = __warpwalk_isinf(x) ? 1.5707963267948966 : warpwalk_cuda::atan_quotient(fabs(x), 1.0);
  return copysign(r, x);
}
WARPWALK_DEVICE double atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  double a = fabs(y), b = fabs(x);
  if (__warpwalk_isinf(a) && __warpwalk_isinf(b))
    a = b = 1;
  else if (__warpwalk_isinf(a))
    b = 0, a = 1;
  else if (__warpwalk_isinf(b))
    a = 0, b = 1;
  const double scale = a > 0x1p900 || b > 0x1p900 ? 0x1p-200 : a < 0x1p-900 && b < 0x1p-900 ? 0x1p120 : 1.0;
  double r = a == 0 && b == 0 ? 0.0 : warpwalk_cuda::atan_quotient(a * scale, b * scale);
  if (__warpwalk_signbit(x)) r = 3.1415926535897931 - (r - 1.2246467991473532e-16);
  return copysign(r, y);
}
WARPWALK_DEVICE double asin(double x) {
  const double a = fabs(x);
  if (a <= 0.5) return x + warpwalk_cuda::asin_near(x);
  const double z = 0.5 * (1.0 - a), s = sqrt(z);
  const double s_low = s > 0 ? fma(-s, s, z) / (2.0 * s) : 0.0;
  const double r = 1.5707963267948966 - 2.0 * (s + (s_low + (warpwalk_cuda::asin_near(s) - 3.061616997868383e-17)));
  return copysign(r, x);  // NaN beyond 1, from the root
}
WARPWALK_DEVICE double acos(double x) {
  const double a = fabs(x);
  if (a <= 0.5) {
    const warpwalk_cuda::Pair r = warpwalk_cuda::sum_of(1.5707963267948966, -x);
    return r.high + (r.low + (6.123233995736766e-17 - warpwalk_cuda::asin_near(x)));
  }
  const double z = 0.5 * (1.0 - a), s = sqrt(z);
  const double s_low = s > 0 ? fma(-s, s, z) / (2.0 * s) : 0.0;
  const double r = 2.0 * (s + (s_low + warpwalk_cuda::asin_near(s)));
  return x > 0 ? r : 3.1415926535897931 - (r - 1.2246467991473532e-16);
}
WARPWALK_DEVICE double sinh(double x) {
  const double a = fabs(x);
  if (a < 0.34) {
    const double z = x * x;  // the series: the next term is below 1e-19
    constexpr double c[] = {0.16666666666666666,    0.0083333333333333332, 0.00019841269841269841,
                            2.7557319223985893e-06, 2.505210838544172e-08, 1.6059043836821613e-10};
    return fma(x * z, warpwalk_cuda::polynomial(c, z), x);
  }
  const double e = a > 709.0 ? 0.0 : exp(a);
  const double r = a > 709.0 ? exp(0.5 * a) * (0.5 * exp(0.5 * a)) : 0.5 * (e - 1.0 / e);
  return copysign(r, x);
}
WARPWALK_DEVICE double cosh(double x) {
  const double a = fabs(x);
  if (a > 709.0) return exp(0.5 * a) * (0.5 * exp(0.5 * a));
  const double e = exp(a);
  return 0.5 * (e + 1.0 / e);
}
WARPWALK_DEVICE double tanh(double x) {
  const double a = fabs(x);
  if (a < 0.55) {
    constexpr double c[] = {-0.33333333333333331,   0.13333333333333333,     -0.053968253968252028,
                            0.021869488536018847,   -0.0088632355249062388,  0.0035921279274152965,
                            -0.0014558328521010176, 0.00059001292388670401,  -0.00023903461484050333,
                            9.6489230873466779e-05, -3.7959977297051689e-05, 1.3202184336680511e-05,
                            -2.9300415271054606e-06};
    const double z = x * x;
    return fma(x * z, warpwalk_cuda::polynomial(c, z), x);
  }
  return copysign(a > 20.0 ? 1.0 : 1.0 - 2.0 / (exp(2.0 * a) + 1.0), x) + (x - x);
}
WARPWALK_DEVICE double asinh(double x) {
  const double a = fabs(x);
  if (a > 0x1p30) return copysign(log(a) + 0.69314718055994529, x);
  const double z = a * a;
  return copysign(log1p(a + z / (1.0 + sqrt(z + 1.0))), x);
}
WARPWALK_DEVICE double acosh(double x) {
  if (!(x >= 1.0)) return __builtin_nan("");
  if (x > 0x1p30) return log(x) + 0.69314718055994529;
  const double t = x - 1.0;
  return log1p(t + sqrt(fma(t, t, 2.0 * t)));
}
WARPWALK_DEVICE double atanh(double x) {
  const double a = fabs(x);
  return copysign(0.5 * log1p(2.0 * a / (1.0 - a)), x);
}
WARPWALK_DEVICE double cbrt(double x) {
  if (x == 0 || !__warpwalk_isfinite(x)) return x;
  int e;
  double m = frexp(fabs(x), &e);
  const int third = (e + 3000) / 3 - 1000, rest = e - 3 * third;  // rest is 0, 1 or 2
  m = rest == 0 ? m : rest == 1 ? 2.0 * m : 4.0 * m;
  double r = __powf(static_cast<float>(m), 0.333333343f);
  r = r - (r * r * r - m) / (3.0 * r * r);
  const double square = r * r;
  const double error = fma(square, r, -m) + fma(r, r, -square) * r;  // r^3 - m, exactly enough
  r -= error / (3.0 * square);
  return copysign(ldexp(r, third), x);
}
WARPWALK_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }

namespace warpwalk_cuda {
WARPWALK_DEVICE double erf_near(double x) {
  constexpr double c[] = {0.12837916709551259,     -0.37612638903183754,    0.11283791670955126,
                          -0.026866170645131218,   0.0052239776254416736,   -0.0008548327023403001,
                          0.00012055332978879483,  -1.4925650236967501e-05, 1.6462110782018636e-06,
                          -1.6365768648832071e-07, 1.4806027146128752e-08,  -1.2277734486795524e-09,
                          9.3237235181530271e-11,  -6.1967364287876997e-12, 2.8067128195611264e-13};
  return fma(x, polynomial(c, x * x), x);
}
// e^(x^2) erfc(x) for x >= 0
WARPWALK_DEVICE double erfcx_above(double x) {
  constexpr double c[] = {
      1.2329951186255526,      -0.1396211168405625,     0.015379652102620042,    0.068097054254690356,
      -0.10103906603632504,    0.093732834998439513,    -0.066330365811648501,   0.037167515535911411,
      -0.01619773406595253,    0.0050319699928109253,   -0.00075777321953522929, -0.00019925677645791969,
      0.00015062130746391778,  -2.4398942309069806e-05, -1.1220753452725425e-05, 5.7092012122263518e-06,
      2.9090629683714269e-07,  -8.2491274349645722e-07, 7.89343963476142e-08,    1.1009041560728304e-07,
      -2.1917128684776733e-08, -1.470518755238763e-08,  3.9799082099353338e-09,  1.7887492189077536e-09,
      -5.4779631540379301e-10, -1.37212432109558e-10,   4.335744696880128e-11};
  const double t = (x - 4.0) / (x + 4.0);
  return polynomial(c, t) / (1.0 + 2.0 * x);
}
WARPWALK_DEVICE double erfc_above(double x) {
  if (x > 27.3) return 0;
  const Pair square = product_of(x, x);
  const double e = exp(-square.high);
  return erfcx_above(x) * fma(-square.low, e, e);
}
}  // namespace warpwalk_cuda

WARPWALK_DEVICE double erf(double x) {
  const double a = fabs(x);
  if (a < 1.0) return warpwalk_cuda::erf_near(x);
  return x != x ? x : copysign(1.0 - warpwalk_cuda::erfc_above(a), x);
}
WARPWALK_DEVICE double erfc(double x) {
  if (x != x) return x;
  if (fabs(x) < 0.5) return 1.0 - warpwalk_cuda::erf_near(x);
  return x > 0 ? warpwalk_cuda::erfc_above(x) : 2.0 - warpwalk_cuda::erfc_above(-x);
}
WARPWALK_DEVICE double erfcx(double x) {
  return x >= 0 ? warpwalk_cuda::erfcx_above(x) : 2.0 * exp(x * x) - warpwalk_cuda::erfcx_above(-x);
}
WARPWALK_DEVICE double normcdf(double x) { return 0.5 * erfc(x * -0.70710678118654757); }

namespace warpwalk_cuda {
// Gamma(1 + t) for 0 <= t <= 1
WARPWALK_DEVICE double gamma_near(double t) {
  constexpr double c[] = {1.0,
                          -0.57721566490153287,
                          0.98905599532796284,
                          -0.90747907607940004,
                          0.98172808674916467,
                          -0.98199506620150534,
                          0.99314905974229084,
                          -0.99600098530841086,
                          0.99809767221242673,
                          -0.99896218995493424,
                          0.99912855335379325,
                          -0.99786454139341707,
                          0.99239453554616097,
                          -0.97567352071690006,
                          0.93475952579941679,
                          -0.85328118759291072,
                          0.72088190940699515,
                          -0.54567402584589064,
                          0.35790292452389533,
                          -0.19651299963786029,
                          0.086953697407852665,
                          -0.029572131039116774,
                          0.0072175542340259984,
                          -0.0011211756943427153,
                          8.3050062236464557e-05};
  return polynomial(c, t);
}
// ln Gamma(x) - (x - 1/2) ln x + x - ln sqrt(2 pi), Stirling's series for x >= 10
WARPWALK_DEVICE double stirling(double x) {
  const double r = 1.0 / x, z = r * r;
  constexpr double c[] = {0.083333333333333329,    -0.0027777777777777779, 0.00079365079365079365,
                          -0.00059523809523809529, 0.00084175084175084171, -0.0019175269175269176,
                          0.0064102564102564100,   -0.029550653594771242};
  return r * polynomial(c, z);
}
}  // namespace warpwalk_cuda

WARPWALK_OUTLINE double tgamma(double x) {
  if (x != x || x == __builtin_inf()) return x;
  if (x == 0) return copysign(__builtin_inf(), x);
  if (x < 0 && trunc(x) == x) return __builtin_nan("");
  if (x < -10.0) {  // the reflection
    const double s = sinpi(x);
    return x < -185.0 ? 0.0 : -3.1415926535897931 / (x * s * tgamma(-x));
  }
  if (x > 172.0) return __builtin_inf();
  if (x > 12.0) {
    const double half = pow(x, 0.5 * x - 0.25), s = warpwalk_cuda::stirling(x);
    constexpr double c[] = {
        1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664, 0.0083333333333333332, 0.0013888888888888889};
    const double series = warpwalk_cuda::polynomial(c, s);  // e^s
    return 2.5066282746310002 * (half * exp(-x)) * series * half;
  }
  double product = 1, divisor = 1;
  while (x > 2.0) x -= 1.0, product *= x;
  while (x < 1.0) divisor *= x, x += 1.0;
  return warpwalk_cuda::gamma_near(x - 1.0) * product / divisor;
}
WARPWALK_OUTLINE double lgamma(double x) {
  if (x != x) return x;
  if (__warpwalk_isinf(x)) return __builtin_inf();
  if (x <= 0) {
    if (trunc(x) == x) return __builtin_inf();
    return 1.1447298858494002 - log(fabs(x * sinpi(x))) - lgamma(-x);
  }
  if (x < 0x1p-60) return -log(x);
  if (fabs(x - 1.0) <= 0.25) {
    constexpr double c[] = {-0.57721566490153287,  0.82246703342411331,  -0.40068563438653154,  0.27058080842765675,
                            -0.20738555102855213,  0.16955717703059356,  -0.14404989680049177,  0.12550966561394297,
                            -0.11133426214028068,  0.1000997065798279,   -0.090954254646259627, 0.083344554777884217,
                            -0.076923662236677237, 0.071640978944929518, -0.066867056468842043, 0.059762423617783389,
                            -0.056213194024450956, 0.074718592590784894, -0.070896361234159211};
    return (x - 1.0) * warpwalk_cuda::polynomial(c, x - 1.0);
  }
  if (fabs(x - 2.0) <= 0.5) {
    constexpr double c[] = {
        0.42278433509846713,     0.3224670334241132,     -0.067352301053198088,   0.020580808427784546,
        -0.0073855510286741678,  0.002890510330741611,   -0.0011927539116923507,  0.0005096695247378089,
        -0.00022315475878792774, 9.9457512942189341e-05, -4.4926230771258842e-05, 2.0507209913518922e-05,
        -9.4395544985199022e-06, 4.3748985546658237e-06, -2.0387454992421862e-06, 9.5491565812584284e-07,
        -4.5137853591665518e-07, 2.1309420802699118e-07, -9.450662216344433e-08,  4.4856341052559805e-08,
        -3.1733539933736841e-08, 1.5164712141441004e-08};
    return (x - 2.0) * warpwalk_cuda::polynomial(c, x - 2.0);
  }
  if (x < 12.0) return log(tgamma(x));
  return fma(x - 0.5, log(x), -x) + (0.91893853320467278 + warpwalk_cuda::stirling(x));
}
