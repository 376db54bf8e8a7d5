#pragma once

// Sums of products, of real and of complex numbers.

namespace stand_in::cublas {

__device__ inline void multiply_add(float& sum, float a, float b) { sum = fmaf(a, b, sum); }
__device__ inline void multiply_add(double& sum, double a, double b) { sum = fma(a, b, sum); }

/// (a.x + i a.y) * (b.x + i b.y): four fused multiply-adds.
template <class Complex>
__device__ void multiply_add(Complex& sum, Complex a, Complex b) {
  sum.x = fma(a.x, b.x, sum.x);
  sum.y = fma(a.x, b.y, sum.y);
  sum.x = fma(-a.y, b.y, sum.x);
  sum.y = fma(a.y, b.x, sum.y);
}

}  // namespace stand_in::cublas
