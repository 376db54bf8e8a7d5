#pragma once

// Discrete Fourier transforms of a few numbers, in registers.

#include "elements.cuh"

namespace stand_in::cufft {

/// cos and sin of 2 pi k / radix for the odd radices.
template <int radix>
__device__ constexpr double cosine(int k) {
  constexpr double of_3[] = {1, -0.5, -0.5};
  constexpr double of_5[] = {1, 0.30901699437494742410, -0.80901699437494742410, -0.80901699437494742410,
                             0.30901699437494742410};
  constexpr double of_7[] = {1,
                             0.62348980185873353053,
                             -0.22252093395631440429,
                             -0.90096886790241912624,
                             -0.90096886790241912624,
                             -0.22252093395631440429,
                             0.62348980185873353053};
  return radix == 3 ? of_3[k % 3] : radix == 5 ? of_5[k % 5] : of_7[k % 7];
}
template <int radix>
__device__ constexpr double sine(int k) {
  constexpr double of_3[] = {0, 0.86602540378443864676, -0.86602540378443864676};
  constexpr double of_5[] = {0, 0.95105651629515357212, 0.58778525229247312917, -0.58778525229247312917,
                             -0.95105651629515357212};
  constexpr double of_7[] = {0,
                             0.78183148246802980871,
                             0.97492791218182360702,
                             0.43388373911755812048,
                             -0.43388373911755812048,
                             -0.97492791218182360702,
                             -0.78183148246802980871};
  return radix == 3 ? of_3[k % 3] : radix == 5 ? of_5[k % 5] : of_7[k % 7];
}

/// v[m] becomes the sum over q of v[q] * exp(-2 pi i q m / radix). For odd radices, outputs m and radix - m share the
/// sums of v[q] + v[radix - q] and of v[q] - v[radix - q].
template <int radix, class Real>
__device__ void transform(Complex<Real> (&v)[radix]) {
  constexpr int half = radix / 2;
  Complex<Real> sum[half], difference[half], first = v[0];
#pragma unroll
  for (int q = 1; q <= half; ++q) {
    sum[q - 1] = v[q] + v[radix - q];
    difference[q - 1] = v[q] - v[radix - q];
    first = first + sum[q - 1];
  }
#pragma unroll
  for (int m = 1; m <= half; ++m) {
    Complex<Real> even = v[0], odd{};
#pragma unroll
    for (int q = 1; q <= half; ++q) {
      const auto cos = static_cast<Real>(cosine<radix>(q * m)), sin = static_cast<Real>(sine<radix>(q * m));
      even.re += cos * sum[q - 1].re, even.im += cos * sum[q - 1].im;
      odd.re += sin * difference[q - 1].re, odd.im += sin * difference[q - 1].im;
    }
    v[m] = even + turned(odd);
    v[radix - m] = even - turned(odd);
  }
  v[0] = first;
}

template <class Real>
__device__ void transform(Complex<Real> (&v)[2]) {
  const Complex<Real> sum = v[0] + v[1], difference = v[0] - v[1];
  v[0] = sum, v[1] = difference;
}

template <class Real>
__device__ void transform(Complex<Real> (&v)[4]) {
  const Complex<Real> even_sum = v[0] + v[2], even_difference = v[0] - v[2];
  const Complex<Real> odd_sum = v[1] + v[3], odd_difference = turned(v[1] - v[3]);
  v[0] = even_sum + odd_sum, v[1] = even_difference + odd_difference;
  v[2] = even_sum - odd_sum, v[3] = even_difference - odd_difference;
}

}  // namespace stand_in::cufft
