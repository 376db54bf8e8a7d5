// A loop that counts down past zero: an unsigned number is never negative.
extern "C" __global__ void down(int* y, unsigned n) {
  for (unsigned k = n; k >= 0; --k) y[(k + threadIdx.x) & 31] = (int)k;  // BUG: k >= 0 is always true
}
