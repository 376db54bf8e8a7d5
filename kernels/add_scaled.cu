// c = a + alpha b, element by element: the sum and difference with PyTorch's third argument.
//
// Shows: two roundings instead of one. A fused multiply-add rounds once. Here the product is rounded separately, so
// that every device gives the same bits. Launch: any block, ceil(n / block) blocks; strides: a, b, c.
#include "elements.cuh"

// The rounded product, which nvcc does not fuse with a sum.
__device__ inline float product(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double product(double a, double b) { return __dmul_rn(a, b); }
__device__ inline unsigned product(unsigned a, unsigned b) { return a * b; }
__device__ inline unsigned long long product(unsigned long long a, unsigned long long b) { return a * b; }

template <typename T>
__device__ void without_gaps(const T* a, const T* b, T* c, Computed<T> alpha, int n) {
  const int i = element_of_thread();
  if (i < n) c[i] = rounded<T>(value_of(a[i]) + product(alpha, value_of(b[i])));
}

template <typename T>
__device__ void strided(const T* a, const T* b, T* c, Computed<T> alpha, const Layout<3>& layout, int n) {
  const int i = element_of_thread();
  if (i >= n) return;
  const Places<3> at = places(layout, i);
  c[at.of[2]] = rounded<T>(value_of(a[at.of[0]]) + product(alpha, value_of(b[at.of[1]])));
}

#define ENTRIES(T)                                                                                     \
  extern "C" __global__ void add_scaled_##T(const T* a, const T* b, T* c, Computed<T> alpha, int n) {  \
    without_gaps(a, b, c, alpha, n);                                                                   \
  }                                                                                                    \
  extern "C" __global__ void add_scaled_strided_##T(const T* a, const T* b, T* c, Computed<T> alpha,   \
                                                    const __grid_constant__ Layout<3> layout, int n) { \
    strided(a, b, c, alpha, layout, n);                                                                \
  }

ENTRIES(f16)
ENTRIES(bf16)
ENTRIES(f32)
ENTRIES(f64)
ENTRIES(i32)
ENTRIES(i64)
