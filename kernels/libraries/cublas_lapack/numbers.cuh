// The four types of LAPACK: float, double, and float2 and double2 as complex numbers.
#pragma once

namespace stand_in {

/// The real type of a number.
template <class Number>
struct Parts {
  using Real = Number;
  static constexpr bool complex = false;
};
template <>
struct Parts<float2> {
  using Real = float;
  static constexpr bool complex = true;
};
template <>
struct Parts<double2> {
  using Real = double;
  static constexpr bool complex = true;
};
template <class Number>
using Real = typename Parts<Number>::Real;
template <class Number>
concept Complex = Parts<Number>::complex;

template <Complex C>
__device__ C operator+(C a, C b) {
  return {a.x + b.x, a.y + b.y};
}
template <Complex C>
__device__ C operator-(C a, C b) {
  return {a.x - b.x, a.y - b.y};
}
template <Complex C>
__device__ C operator-(C a) {
  return {-a.x, -a.y};
}
template <Complex C>
__device__ C operator*(C a, C b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <Complex C>
__device__ C operator*(Real<C> a, C b) {
  return {a * b.x, a * b.y};
}
template <Complex C>
__device__ C& operator+=(C& a, C b) {
  return a = a + b;
}
template <Complex C>
__device__ C& operator-=(C& a, C b) {
  return a = a - b;
}

template <class Number>
__device__ Real<Number> real_part(Number a) {
  if constexpr (Complex<Number>)
    return a.x;
  else
    return a;
}
template <class Number>
__device__ Real<Number> imaginary_part(Number a) {
  if constexpr (Complex<Number>)
    return a.y;
  else
    return 0;
}
template <class Number>
__device__ Number from_real(Real<Number> a) {
  if constexpr (Complex<Number>)
    return {a, 0};
  else
    return a;
}
template <class Number>
__device__ Number conjugate(Number a) {
  if constexpr (Complex<Number>)
    return {a.x, -a.y};
  else
    return a;
}
template <class Number>
__device__ Number conjugate_if(bool condition, Number a) {
  return condition ? conjugate(a) : a;
}
template <class Number>
__device__ bool is_zero(Number a) {
  return real_part(a) == 0 && imaginary_part(a) == 0;
}
/// |a| squared.
template <class Number>
__device__ Real<Number> square(Number a) {
  return real_part(a) * real_part(a) + imaginary_part(a) * imaginary_part(a);
}
/// The sum of the magnitudes of both parts, by which LAPACK chooses pivots.
template <class Number>
__device__ Real<Number> magnitude(Number a) {
  return fabs(real_part(a)) + fabs(imaginary_part(a));
}

/// sqrt(x * x + y * y) without overflow.
template <class Float>
__device__ Float length(Float x, Float y) {
  const Float a = fabs(x), b = fabs(y), longer = a > b ? a : b, shorter = a > b ? b : a;
  if (longer == 0) return 0;
  const Float ratio = shorter / longer;
  return longer * sqrt(1 + ratio * ratio);
}
/// |a| without overflow.
template <class Number>
__device__ Real<Number> absolute(Number a) {
  if constexpr (Complex<Number>)
    return length(a.x, a.y);
  else
    return fabs(a);
}

/// a / b. The parts of a complex b are scaled, so that their squares do not overflow.
template <class Number>
__device__ Number divide(Number a, Number b) {
  if constexpr (Complex<Number>) {
    const Real<Number> scale = fabs(b.x) > fabs(b.y) ? fabs(b.x) : fabs(b.y);
    const Number unit = {b.x / scale, b.y / scale};
    const Real<Number> divisor = square(unit) * scale;
    const Number product = a * conjugate(unit);
    return {product.x / divisor, product.y / divisor};
  } else {
    return a / b;
  }
}

/// The distance from 1 to the next number.
template <class Float>
__device__ Float epsilon() {
  return sizeof(Float) == sizeof(float) ? Float(1.1920929e-7) : Float(2.220446049250313e-16);
}

constexpr int warp_size = 32;
constexpr unsigned all_lanes = 0xffffffff;

/// The sum of the lanes' values, in every lane.
template <class Number>
__device__ Number warp_sum(Number value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    if constexpr (Complex<Number>) {
      value.x += __shfl_xor_sync(all_lanes, value.x, distance);
      value.y += __shfl_xor_sync(all_lanes, value.y, distance);
    } else {
      value += __shfl_xor_sync(all_lanes, value, distance);
    }
  return value;
}
/// The largest of the lanes' values, in every lane.
template <class Float>
__device__ Float warp_max(Float value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const Float other = __shfl_xor_sync(all_lanes, value, distance);
    value = other > value ? other : value;
  }
  return value;
}

}  // namespace stand_in
