// y = 1 / (1 + e^-x), and its gradient g (1 - y) y, which needs only the result y.
//
// Shows: an exponential, a sum and a division per element. The division costs more than the exponential.
// Launch: any block, ceil(n / block) blocks; strides: x, y, and g, y, the gradient.
#include "elementwise.cuh"
#include "exact.cuh"

struct Sigmoid {
  __device__ float operator()(float x) const { return 1.0f / (1.0f + expf(-x)); }
  __device__ double operator()(double x) const { return 1.0 / (1.0 + exp(-x)); }
};

struct SigmoidBackward {
  template <typename V>
  __device__ V operator()(V gradient, V y) const {
    return product(product(gradient, V(1) - y), y);
  }
};

UNARY_ENTRIES(sigmoid, Sigmoid, f16)
UNARY_ENTRIES(sigmoid, Sigmoid, bf16)
UNARY_ENTRIES(sigmoid, Sigmoid, f32)
UNARY_ENTRIES(sigmoid, Sigmoid, f64)
BINARY_ENTRIES(sigmoid_backward, SigmoidBackward, f16)
BINARY_ENTRIES(sigmoid_backward, SigmoidBackward, bf16)
BINARY_ENTRIES(sigmoid_backward, SigmoidBackward, f32)
BINARY_ENTRIES(sigmoid_backward, SigmoidBackward, f64)
