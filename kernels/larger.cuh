// The larger of two values. NaN is larger than all others, and 0 is larger than -0. The result therefore does not
// depend on the order of comparisons.
#pragma once

#include "elements.cuh"

template <typename V>
__device__ V larger(V a, V b) {
  if (a != a) return a;
  if (b != b) return b;
  if (with_sign(a) == with_sign(b)) return a == V(0) ? a + b : a;
  return with_sign(a) > with_sign(b) ? a : b;
}
