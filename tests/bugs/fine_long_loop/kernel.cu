// Correct: the loop ends after 200,000 iterations.
extern "C" __global__ void long_loop(unsigned* y, unsigned n) {
  unsigned v = threadIdx.x;
#pragma unroll 1
  for (unsigned k = 0; k < n; ++k) v = v * 1664525u + 1013904223u;
  y[threadIdx.x] = v;
}
