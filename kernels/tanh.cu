// y = tanh(x), and its gradient g (1 - y y), which needs only the result y.
//
// Shows: a function that the hardware provides only as an approximation (tanh.approx, 2^-11). tanhf uses other
// functions instead: a polynomial near 0, else 1 - 2 / (e^2x + 1) with ex2.approx and rcp.approx, within 2 ulp.
// Launch: any block, ceil(n / block) blocks; strides: x, y, and g, y, the gradient.
#include "elementwise.cuh"
#include "exact.cuh"

struct Tanh {
  __device__ float operator()(float x) const { return tanhf(x); }
  __device__ double operator()(double x) const { return tanh(x); }
};

struct TanhBackward {
  template <typename V>
  __device__ V operator()(V gradient, V y) const {
    return product(gradient, V(1) - product(y, y));
  }
};

UNARY_ENTRIES(tanh, Tanh, f16)
UNARY_ENTRIES(tanh, Tanh, bf16)
UNARY_ENTRIES(tanh, Tanh, f32)
UNARY_ENTRIES(tanh, Tanh, f64)
BINARY_ENTRIES(tanh_backward, TanhBackward, f16)
BINARY_ENTRIES(tanh_backward, TanhBackward, bf16)
BINARY_ENTRIES(tanh_backward, TanhBackward, f32)
BINARY_ENTRIES(tanh_backward, TanhBackward, f64)
