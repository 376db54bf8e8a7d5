// An 8-bit counter that should exceed 255.
extern "C" __global__ void fill(unsigned char* y, int n) {
  for (unsigned char k = 0; k < n; ++k) y[k] = k;  // BUG: n is 300, k wraps to 0
}
