// y = x converted to another type, or copied. One thread per element, for contiguous tensors.
//
// Shows: changing a dtype is a kernel that reads and writes as much memory as any other.
// Launch: any block, ceil(n / block) blocks.
#include "converted.cuh"

template <typename To, typename From>
__device__ void copy(const From* x, To* y, int n) {
  const int i = element_of_thread();
  if (i < n) y[i] = Converted<To>()(x[i]);
}

#define ENTRY(To, From) \
  extern "C" __global__ void copy_##From##_##To(const From* x, To* y, int n) { copy(x, y, n); }

EACH_CONVERSION(ENTRY)
