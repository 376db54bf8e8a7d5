// nvcc: -arch=sm_90
// Kernels that make one mistake each, in the lane whose x is 7; `calls_at` calls what x points to.
#include <cassert>
#include <cstdlib>

using Function = int (*)(int);
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ Function functions[] = {twice, nullptr};
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void asserts(const int* x, int*) { assert(x[threadIdx.x] < 3); }

extern "C" __global__ void traps(const int* x, int*) {
  if (x[threadIdx.x] == 7) __trap();
}

extern "C" __global__ void calls(const int* x, int* y) { y[threadIdx.x] = functions[x[threadIdx.x] == 7](x[threadIdx.x]); }

extern "C" __global__ void calls_at(const Function* x, int* y) { y[threadIdx.x] = x[threadIdx.x](1); }

extern "C" __global__ void frees(const int* x, int* y) { free(x[threadIdx.x] == 7 ? y : nullptr); }

extern "C" __global__ void recurses(const int* x, int* y) {
  y[threadIdx.x] = fibonacci(x[threadIdx.x] == 7 ? 1 << 20 : x[threadIdx.x]);
}
