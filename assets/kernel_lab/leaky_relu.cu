// The kernels of the lab "writing-a-kernel": leaky_relu for each type; with a bounds check, without one, and with strides.
// The build compiles their PTX, leaky_relu.ptx, into the program (cmake/Embed.cmake).
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// f16 and bf16 are computed as float and rounded once.
template <typename T>
struct Computed {
  using type = float;
};
template <>
struct Computed<double> {
  using type = double;
};

template <typename T>
__device__ T leaky(T value, typename Computed<T>::type slope) {
  using C = typename Computed<T>::type;
  const C x = static_cast<C>(value);
  return static_cast<T>(x > C(0) ? x : x * slope);
}

#define KERNELS(name, T)                                                                                   \
  extern "C" __global__ void leaky_relu_##name(const T* x, T* y, Computed<T>::type slope, int n) {         \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                   \
    if (i >= n) return;                                                                                    \
    y[i] = leaky(x[i], slope);                                                                             \
  }                                                                                                        \
  extern "C" __global__ void unchecked_##name(const T* x, T* y, Computed<T>::type slope, int n) {          \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                   \
    y[i] = leaky(x[i], slope);                                                                             \
  }                                                                                                        \
  extern "C" __global__ void strided_##name(const T* x, T* y, Computed<T>::type slope, int n, int stride) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                   \
    if (i >= n) return;                                                                                    \
    y[i] = leaky(x[i * stride], slope);                                                                    \
  }                                                                                                        \
  extern "C" __global__ void unchecked_strided_##name(const T* x, T* y, Computed<T>::type slope, int n, int stride) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                   \
    y[i] = leaky(x[i * stride], slope);                                                                    \
  }

KERNELS(f16, __half)
KERNELS(bf16, __nv_bfloat16)
KERNELS(f32, float)
KERNELS(f64, double)
