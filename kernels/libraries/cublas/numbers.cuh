#pragma once

// Arithmetic of vectors and matrices of real and complex numbers: float, double, float2, double2.

namespace stand_in::cublas {

/// The real number type of a number type.
template <class Number>
struct RealOf {
  using type = Number;
};
template <>
struct RealOf<float2> {
  using type = float;
};
template <>
struct RealOf<double2> {
  using type = double;
};
template <class Number>
using Real = typename RealOf<Number>::type;

__device__ inline float product(float a, float b) { return a * b; }
__device__ inline double product(double a, double b) { return a * b; }
__device__ inline float2 product(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
__device__ inline double2 product(double2 a, double2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
__device__ inline float2 product(float a, float2 b) { return {a * b.x, a * b.y}; }
__device__ inline double2 product(double a, double2 b) { return {a * b.x, a * b.y}; }

__device__ inline float sum(float a, float b) { return a + b; }
__device__ inline double sum(double a, double b) { return a + b; }
__device__ inline float2 sum(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline double2 sum(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }

template <class Number>
__device__ Number minus(Number a) {
  return -a;
}
template <>
__device__ inline float2 minus(float2 a) {
  return {-a.x, -a.y};
}
template <>
__device__ inline double2 minus(double2 a) {
  return {-a.x, -a.y};
}

template <class Number>
__device__ Number conjugate(Number a) {
  return a;
}
template <>
__device__ inline float2 conjugate(float2 a) {
  return {a.x, -a.y};
}
template <>
__device__ inline double2 conjugate(double2 a) {
  return {a.x, -a.y};
}

template <class Number>
__device__ bool is_zero(Number a) {
  return a == 0;
}
template <>
__device__ inline bool is_zero(float2 a) {
  return a.x == 0 && a.y == 0;
}
template <>
__device__ inline bool is_zero(double2 a) {
  return a.x == 0 && a.y == 0;
}

/// A number of a real and an imaginary part, which real numbers do not have.
template <class Number>
__device__ Number number(double real, double) {
  return static_cast<Number>(real);
}
template <>
__device__ inline float2 number<float2>(double real, double imaginary) {
  return {static_cast<float>(real), static_cast<float>(imaginary)};
}
template <>
__device__ inline double2 number<double2>(double real, double imaginary) {
  return {real, imaginary};
}

/// |a|, and |real| + |imaginary| of complex numbers, as BLAS measures them.
__device__ inline float magnitude(float a) { return fabsf(a); }
__device__ inline double magnitude(double a) { return fabs(a); }
__device__ inline float magnitude(float2 a) { return fabsf(a.x) + fabsf(a.y); }
__device__ inline double magnitude(double2 a) { return fabs(a.x) + fabs(a.y); }

__device__ inline float from_lane(float a, int distance) { return __shfl_down_sync(0xffffffff, a, distance); }
__device__ inline double from_lane(double a, int distance) { return __shfl_down_sync(0xffffffff, a, distance); }
__device__ inline float2 from_lane(float2 a, int distance) { return {from_lane(a.x, distance), from_lane(a.y, distance)}; }
__device__ inline double2 from_lane(double2 a, int distance) { return {from_lane(a.x, distance), from_lane(a.y, distance)}; }

/// The sum over the lanes of a warp, in lane 0.
template <class Number>
__device__ Number warp_sum(Number value) {
  for (int distance = 16; distance > 0; distance /= 2) value = sum(value, from_lane(value, distance));
  return value;
}

}  // namespace stand_in::cublas
