// Counters that are incremented but never set to zero.
extern "C" __global__ void count(const int* x, unsigned* bins) {
  atomicAdd(&bins[x[threadIdx.x] & 7], 1u);  // BUG: bins are uninitialised
}
