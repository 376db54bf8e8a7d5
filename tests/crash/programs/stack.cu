// The recursion is deeper than the stack.
#include "cases.h"

__device__ __noinline__ int descend(int depth, int* out) {
  volatile int frame[64];
  frame[depth & 63] = depth;
  if (depth == 0) return *out;
  return descend(depth - 1, out) + frame[depth & 31];
}

__global__ void recurse(int* out, int depth) { out[threadIdx.x] = descend(depth, out); }

void launch_stack() { recurse<<<1, 32>>>(on_gpu(counting(32)), 100000); }
