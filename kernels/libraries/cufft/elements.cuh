#pragma once

// Complex numbers, and elements of the arrays in memory.

#include "pass.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace stand_in::cufft {

template <class Real>
struct alignas(2 * sizeof(Real)) Complex {
  Real re, im;
};

template <class Real>
__device__ Complex<Real> operator+(Complex<Real> a, Complex<Real> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Real>
__device__ Complex<Real> operator-(Complex<Real> a, Complex<Real> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class Real>
__device__ Complex<Real> operator*(Complex<Real> a, Complex<Real> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/// -i * a
template <class Real>
__device__ Complex<Real> turned(Complex<Real> a) {
  return {a.im, -a.re};
}
/// The inverse transform is the forward one of numbers with their parts exchanged, exchanged again.
template <class Real>
__device__ Complex<Real> exchanged(Complex<Real> a) {
  return {a.im, a.re};
}

/// A real number of an array in one of the formats. Only `float` has others than itself.
template <class Real>
__device__ Real number_at(const Layout& array, long long index) {
  if constexpr (sizeof(Real) == sizeof(float)) {
    if (array.storage == stored_as_half) return __half2float(static_cast<const __half*>(array.at)[index]);
    if (array.storage == stored_as_bfloat16)
      return __bfloat162float(static_cast<const __nv_bfloat16*>(array.at)[index]);
  }
  return static_cast<const Real*>(array.at)[index];
}

template <class Real>
__device__ void put_number(const Layout& array, long long index, Real number) {
  if constexpr (sizeof(Real) == sizeof(float)) {
    if (array.storage == stored_as_half) {
      static_cast<__half*>(array.at)[index] = __float2half(number);
      return;
    }
    if (array.storage == stored_as_bfloat16) {
      static_cast<__nv_bfloat16*>(array.at)[index] = __float2bfloat16(number);
      return;
    }
  }
  static_cast<Real*>(array.at)[index] = number;
}

/// Element `index` of a line that begins at `start`, of a transform of `total` elements.
template <class Real>
__device__ Complex<Real> load(const Layout& from, long long start, unsigned index, unsigned total) {
  if (from.numbers == real_numbers) return {number_at<Real>(from, start + index * from.element), Real(0)};
  const bool conjugate = from.numbers == half_spectrum && index > total / 2;
  const long long at = start + (conjugate ? total - index : index) * from.element;
  Complex<Real> value;
  if (from.storage == stored_as_computed) {
    value = static_cast<const Complex<Real>*>(from.at)[at];
  } else {
    value = {number_at<Real>(from, 2 * at), number_at<Real>(from, 2 * at + 1)};
  }
  if (conjugate) value.im = -value.im;
  return value;
}

template <class Real>
__device__ void store(const Layout& to, long long start, unsigned index, unsigned total, Complex<Real> value) {
  const long long at = start + index * to.element;
  if (to.numbers == real_numbers) {
    put_number<Real>(to, at, value.re);
    return;
  }
  if (to.numbers == half_spectrum && index > total / 2) return;
  if (to.storage == stored_as_computed) {
    static_cast<Complex<Real>*>(to.at)[at] = value;
  } else {
    put_number<Real>(to, 2 * at, value.re);
    put_number<Real>(to, 2 * at + 1, value.im);
  }
}

/// Where the transform to which a line belongs begins. `transform` counts batches, `outer` and `inner`.
__device__ inline long long start_of(const Layout& array, unsigned transform, unsigned outer, unsigned inner) {
  const unsigned row = transform / inner;
  return (row / outer) * array.batch + (row % outer) * array.outer + (transform % inner) * array.inner;
}

}  // namespace stand_in::cufft
