// Converts one element to another type as C++ does; f16 and bf16 are converted via float.
#pragma once

#include "elements.cuh"

// Their values in a type that C++ supports.
template <typename T>
__device__ T plain(T x) {
  return x;
}
__device__ inline float plain(f16 x) { return __half2float(x); }
__device__ inline float plain(bf16 x) { return __bfloat162float(x); }

template <typename To>
struct Converted {
  template <typename From>
  __device__ To operator()(From x) const {
    return static_cast<To>(plain(x));
  }
};
template <>
struct Converted<f16> {
  template <typename From>
  __device__ f16 operator()(From x) const {
    return __float2half_rn(static_cast<float>(plain(x)));
  }
};
template <>
struct Converted<bf16> {
  template <typename From>
  __device__ bf16 operator()(From x) const {
    return __float2bfloat16_rn(static_cast<float>(plain(x)));
  }
};

// Every pair of types, and plain copies: X(To, From).
// clang-format off
#define EACH_CONVERSION(X)                                         \
  X(b16, b16) X(b32, b32) X(b64, b64)                              \
  X(f16, bf16) X(f16, f32) X(f16, f64) X(f16, i32) X(f16, i64)     \
  X(bf16, f16) X(bf16, f32) X(bf16, f64) X(bf16, i32) X(bf16, i64) \
  X(f32, f16) X(f32, bf16) X(f32, f64) X(f32, i32) X(f32, i64)     \
  X(f64, f16) X(f64, bf16) X(f64, f32) X(f64, i32) X(f64, i64)     \
  X(i32, f16) X(i32, bf16) X(i32, f32) X(i32, f64) X(i32, i64)     \
  X(i64, f16) X(i64, bf16) X(i64, f32) X(i64, f64) X(i64, i32)
// clang-format on
