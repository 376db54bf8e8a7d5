#pragma once

// Arithmetic on the types of values. Halves are computed with in single precision.

#include "matrix.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace stand_in::cusparse {

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
/// a / b, scaled by the larger part of b so that squares do not overflow.
template <class Real>
__device__ Complex<Real> operator/(Complex<Real> a, Complex<Real> b) {
  const Real scale = max(fabs(b.re), fabs(b.im));
  const Real re = b.re / scale, im = b.im / scale, square = (re * re + im * im) * scale;
  return {(a.re * re + a.im * im) / square, (a.im * re - a.re * im) / square};
}

template <class Number>
__device__ Number conjugated(Number a, bool) {
  return a;
}
template <class Real>
__device__ Complex<Real> conjugated(Complex<Real> a, bool wanted) {
  return {a.re, wanted ? -a.im : a.im};
}

template <class Number>
__device__ bool is_zero(Number a) {
  return a == 0;
}
template <class Real>
__device__ bool is_zero(Complex<Real> a) {
  return a.re == 0 && a.im == 0;
}

/// The type in which values are computed with.
template <class Value>
struct Computed {
  using Type = Value;
};
template <>
struct Computed<__half> {
  using Type = float;
};
template <>
struct Computed<__nv_bfloat16> {
  using Type = float;
};
template <class Value>
using Wide = typename Computed<Value>::Type;

template <class Value>
__device__ Value widened(Value value) {
  return value;
}
__device__ inline float widened(__half value) { return __half2float(value); }
__device__ inline float widened(__nv_bfloat16 value) { return __bfloat162float(value); }

template <class Value>
__device__ Value narrowed(Wide<Value> value) {
  return value;
}
template <>
__device__ inline __half narrowed<__half>(float value) {
  return __float2half(value);
}
template <>
__device__ inline __nv_bfloat16 narrowed<__nv_bfloat16>(float value) {
  return __float2bfloat16(value);
}

template <class Number>
__device__ Number value_of(const Scalar<Number>& scalar) {
  if (scalar.at == nullptr) return scalar.value;
  if constexpr (sizeof(Number) == sizeof(float)) {
    if (scalar.storage == 1) return __half2float(*static_cast<const __half*>(scalar.at));
    if (scalar.storage == 2) return __bfloat162float(*static_cast<const __nv_bfloat16*>(scalar.at));
  }
  return *static_cast<const Number*>(scalar.at);
}

/// Adds to an element that other threads add to as well.
template <class Value>
__device__ void add_to(Value* at, Wide<Value> value) {
  atomicAdd(at, narrowed<Value>(value));
}
template <class Real>
__device__ void add_to(Complex<Real>* at, Complex<Real> value) {
  atomicAdd(&at->re, value.re);
  atomicAdd(&at->im, value.im);
}

constexpr unsigned all_lanes = 0xffffffff;

template <class Number>
__device__ Number from_lane_across(Number value, int distance) {
  return __shfl_xor_sync(all_lanes, value, distance);
}
template <class Real>
__device__ Complex<Real> from_lane_across(Complex<Real> value, int distance) {
  return {__shfl_xor_sync(all_lanes, value.re, distance), __shfl_xor_sync(all_lanes, value.im, distance)};
}

/// The sum over the lanes of a warp, in all of them.
template <class Number>
__device__ Number sum_of_warp(Number value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value = value + from_lane_across(value, distance);
  return value;
}

}  // namespace stand_in::cusparse
