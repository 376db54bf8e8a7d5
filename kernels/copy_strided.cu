// y = x converted to another type, or copied, for tensors with any strides.
//
// Shows: what contiguous() does to a transposed tensor: strided reads, contiguous writes.
// Launch: any block, ceil(n / block) blocks; strides: x, y.
#include "converted.cuh"

template <typename To, typename From>
__device__ void copy(const From* x, To* y, const Layout<2>& layout, int n) {
  const int i = element_of_thread();
  if (i >= n) return;
  const Places<2> at = places(layout, i);
  y[at.of[1]] = Converted<To>()(x[at.of[0]]);
}

#define ENTRY(To, From)                                                                                    \
  extern "C" __global__ void copy_strided_##From##_##To(const From* x, To* y,                              \
                                                        const __grid_constant__ Layout<2> layout, int n) { \
    copy(x, y, layout, n);                                                                                 \
  }

EACH_CONVERSION(ENTRY)
