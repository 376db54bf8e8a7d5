#pragma once

// Numbers of a distribution from random bits.

#include "draw.h"

namespace stand_in::curand {

/// Two independent normally distributed numbers from two uniform ones (Box and Muller).
template <class Number>
struct Pair {
  Number first, second;
};

__device__ inline Pair<float> box_muller(float u, float v) {
  const float radius = sqrtf(-2.0f * logf(u));
  float sin, cos;
  __sincosf(v * 6.2831855f, &sin, &cos);
  return {radius * sin, radius * cos};
}

__device__ inline Pair<double> box_muller(double u, double v) {
  const double radius = sqrt(-2.0 * log(u));
  double sin, cos;
  sincospi(2.0 * v, &sin, &cos);
  return {radius * sin, radius * cos};
}

/// Uniform in (0, 1], from 32 bits in single and from 53 in double precision.
__device__ inline float uniform_of(unsigned x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
__device__ inline double uniform_of(unsigned x, unsigned y) {
  const unsigned long long z = x ^ static_cast<unsigned long long>(y) << 21;
  return z * 0x1p-53 + 0x1p-54;
}

/// Of the normal distribution, or of the one whose logarithm is normally distributed.
template <class Number>
__device__ Number shifted(const Draw& draw, Number number) {
  const Number value = static_cast<Number>(draw.mean) + static_cast<Number>(draw.deviation) * number;
  return draw.distribution == log_normal ? exp(value) : value;
}

/// Poisson's distribution, by the inverse of its sums.
__device__ inline unsigned poisson_of(const Draw& draw, unsigned x) {
  const double u = x * 0x1p-32 + 0x1p-33;
  unsigned low = 0, count = draw.sum_count - 1;
  while (count > 0) {
    const unsigned half = count / 2;
    if (draw.sums[low + half] < u) {
      low += half + 1, count -= half + 1;
    } else {
      count = half;
    }
  }
  return draw.least + low;
}

}  // namespace stand_in::curand
