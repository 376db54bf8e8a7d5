// A recursive sum over a list in which one element is its own successor.
__device__ __noinline__ int sum(const int* next, int i) {  // OTHER: machine code saves registers on the stack
  return next[i] < 0 ? i : i + sum(next, next[i]) % 1000;  // BUG: next[9] is 9
}

extern "C" __global__ void sums(const int* next, int* y) { y[threadIdx.x] = sum(next, threadIdx.x); }
