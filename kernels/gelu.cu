// y = x times the normal cumulative distribution at x: exact with erf (gelu), or approximated with tanh of a cubic
// (gelu_tanh); and the gradients of both.
//
// Shows: a long chain of arithmetic per element, so that a kernel of three loads and stores is no longer limited only
// by memory. Launch: any block, ceil(n / block) blocks; strides: x, y, and g, x, the gradient.
#include "elementwise.cuh"

__device__ inline float of_erf(float x) { return erff(x); }
__device__ inline double of_erf(double x) { return erf(x); }
__device__ inline float of_exp(float x) { return expf(x); }
__device__ inline double of_exp(double x) { return exp(x); }
__device__ inline float of_tanh(float x) { return tanhf(x); }
__device__ inline double of_tanh(double x) { return tanh(x); }

constexpr double root_half = 0.70710678118654752440;       // sqrt(1/2)
constexpr double root_2_over_pi = 0.79788456080286535588;  // sqrt(2/pi)
constexpr double density_at_0 = 0.39894228040143267794;    // 1 / sqrt(2 pi)
constexpr double cubic = 0.044715;

struct Gelu {
  template <typename V>
  __device__ V operator()(V x) const {
    return x * V(0.5) * (V(1) + of_erf(x * V(root_half)));
  }
};

struct GeluTanh {
  template <typename V>
  __device__ V operator()(V x) const {
    const V inner = V(root_2_over_pi) * (x + V(cubic) * x * x * x);
    return V(0.5) * x * (V(1) + of_tanh(inner));
  }
};

struct GeluBackward {
  template <typename V>
  __device__ V operator()(V gradient, V x) const {
    const V below = V(0.5) * (V(1) + of_erf(x * V(root_half)));
    const V density = of_exp(V(-0.5) * x * x) * V(density_at_0);
    return gradient * (below + x * density);
  }
};

struct GeluTanhBackward {
  template <typename V>
  __device__ V operator()(V gradient, V x) const {
    const V square = x * x;
    const V t = of_tanh(V(root_2_over_pi) * (x + V(cubic) * square * x));
    const V inner_derivative = V(root_2_over_pi) * (V(1) + V(3 * cubic) * square);
    return gradient * (V(0.5) * (V(1) + t) + V(0.5) * x * (V(1) - t * t) * inner_derivative);
  }
};

UNARY_ENTRIES(gelu, Gelu, f16)
UNARY_ENTRIES(gelu, Gelu, bf16)
UNARY_ENTRIES(gelu, Gelu, f32)
UNARY_ENTRIES(gelu, Gelu, f64)
UNARY_ENTRIES(gelu_tanh, GeluTanh, f16)
UNARY_ENTRIES(gelu_tanh, GeluTanh, bf16)
UNARY_ENTRIES(gelu_tanh, GeluTanh, f32)
UNARY_ENTRIES(gelu_tanh, GeluTanh, f64)
BINARY_ENTRIES(gelu_backward, GeluBackward, f16)
BINARY_ENTRIES(gelu_backward, GeluBackward, bf16)
BINARY_ENTRIES(gelu_backward, GeluBackward, f32)
BINARY_ENTRIES(gelu_backward, GeluBackward, f64)
BINARY_ENTRIES(gelu_tanh_backward, GeluTanhBackward, f16)
BINARY_ENTRIES(gelu_tanh_backward, GeluTanhBackward, bf16)
BINARY_ENTRIES(gelu_tanh_backward, GeluTanhBackward, f32)
BINARY_ENTRIES(gelu_tanh_backward, GeluTanhBackward, f64)
