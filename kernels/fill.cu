// y = the same bits in every element, of 16, 32 or 64 bits; the element type does not matter.
//
// Shows: a kernel that only writes. Launch: any block, ceil(n / block) blocks.
#include "elements.cuh"

template <typename T>
__device__ void without_gaps(T* y, T bits, int n) {
  const int i = element_of_thread();
  if (i < n) y[i] = bits;
}

template <typename T>
__device__ void strided(T* y, T bits, const Layout<1>& layout, int n) {
  const int i = element_of_thread();
  if (i < n) y[places(layout, i).of[0]] = bits;
}

#define ENTRIES(T)                                                                                             \
  extern "C" __global__ void fill_##T(T* y, T bits, int n) { without_gaps(y, bits, n); }                       \
  extern "C" __global__ void fill_strided_##T(T* y, T bits, const __grid_constant__ Layout<1> layout, int n) { \
    strided(y, bits, layout, n);                                                                               \
  }

ENTRIES(b16)
ENTRIES(b32)
ENTRIES(b64)
