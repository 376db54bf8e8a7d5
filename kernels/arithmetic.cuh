// The arithmetic of the elementwise kernels on one element, in the type that it is computed in.
#pragma once

#include "elements.cuh"

struct Neg {
  template <typename V>
  __device__ V operator()(V x) const {
    return -x;
  }
};

struct Relu {  // NaN stays NaN; -0 becomes 0
  template <typename V>
  __device__ V operator()(V x) const {
    return with_sign(x) <= 0 ? V(0) : x;
  }
};

struct Exp {
  __device__ float operator()(float x) const { return expf(x); }
  __device__ double operator()(double x) const { return exp(x); }
};

struct Sqrt {
  __device__ float operator()(float x) const { return sqrtf(x); }
  __device__ double operator()(double x) const { return sqrt(x); }
};

struct Add {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return a + b;
  }
};

struct Sub {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return a - b;
  }
};

struct Mul {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return a * b;
  }
};

struct Div {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return a / b;
  }
};

// The gradient of relu: 0 if the input was not above the threshold.
struct ThresholdBackward {
  template <typename V>
  __device__ V operator()(V gradient, V x, V threshold) const {
    return with_sign(x) <= with_sign(threshold) ? V(0) : gradient;
  }
};
