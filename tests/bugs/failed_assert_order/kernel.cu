// A binary search asserts that its keys are in order; the last one is not.
#include <cassert>

extern "C" __global__ void check_order(const int* keys, int n) {
  const int i = threadIdx.x;
  if (i + 1 < n) assert(keys[i] <= keys[i + 1]);  // BUG: the last key is 0
}
