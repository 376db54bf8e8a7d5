// Counters that are only ever added to.
extern "C" __global__ void count(const int* x, unsigned* bins) {
  atomicAdd(&bins[x[threadIdx.x] & 7], 1u);  // BUG: bins start as anything
}
