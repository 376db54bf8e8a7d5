// c = a to the power b, element by element, for two tensors or a tensor and a number; and the derivatives by a and b.
//
// Shows: a function that is a subroutine. powf takes a logarithm and an exponential with more precision than a float.
// It is compiled once and called, so its registers are saved around the call. Squares and cubes are products.
// Launch: any block, ceil(n / block) blocks; strides: a, b, c, or the tensor and c.
#include "elementwise.cuh"

__noinline__ __device__ float general_power(float a, float b) { return powf(a, b); }
__noinline__ __device__ double general_power(double a, double b) { return pow(a, b); }

template <typename V>
__device__ V power(V a, V b) {
  if (b == V(2)) return a * a;
  if (b == V(3)) return a * a * a;
  return general_power(a, b);
}

// Integers wrap around; a negative exponent gives 0 for all bases except 1 and -1.
template <typename V>
__device__ V whole_power(V a, V b) {
  const bool odd = b % 2 != 0;
  if (with_sign(b) < 0) return a == V(1) ? V(1) : a == V(-1) ? (odd ? V(-1) : V(1)) : V(0);
  V result = 1;
  for (; b != 0; b /= 2) {
    if (b % 2 != 0) result *= a;
    a *= a;
  }
  return result;
}
__device__ inline unsigned power(unsigned a, unsigned b) { return whole_power(a, b); }
__device__ inline unsigned long long power(unsigned long long a, unsigned long long b) { return whole_power(a, b); }

__device__ inline float of_log(float x) { return logf(x); }
__device__ inline double of_log(double x) { return log(x); }

struct Pow {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return power(a, b);
  }
};
struct PowOfNumber {
  template <typename V>
  __device__ V operator()(V b, V a) const {
    return power(a, b);
  }
};
struct BaseDerivative {  // b a^(b - 1)
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return b == V(0) ? V(0) : b * power(a, b - V(1));
  }
};
struct ExponentDerivative {  // a^b log(a)
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return a == V(0) && b >= V(0) ? V(0) : general_power(a, b) * of_log(a);
  }
};
struct ExponentDerivativeOfNumber {
  template <typename V>
  __device__ V operator()(V b, V a) const {
    return ExponentDerivative()(a, b);
  }
};

#define ENTRIES(T)                         \
  BINARY_ENTRIES(pow, Pow, T)              \
  UNARY_NUMBER_ENTRIES(pow_number, Pow, T) \
  UNARY_NUMBER_ENTRIES(pow_of_number, PowOfNumber, T)
#define DERIVATIVES(T)                                     \
  BINARY_ENTRIES(pow_base, BaseDerivative, T)              \
  UNARY_NUMBER_ENTRIES(pow_base_number, BaseDerivative, T) \
  BINARY_ENTRIES(pow_exponent, ExponentDerivative, T)      \
  UNARY_NUMBER_ENTRIES(pow_exponent_of_number, ExponentDerivativeOfNumber, T)

ENTRIES(f16)
ENTRIES(bf16)
ENTRIES(f32)
ENTRIES(f64)
ENTRIES(i32)
ENTRIES(i64)
DERIVATIVES(f16)
DERIVATIVES(bf16)
DERIVATIVES(f32)
DERIVATIVES(f64)
