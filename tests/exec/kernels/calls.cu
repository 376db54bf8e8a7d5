// nvcc: -arch=sm_90
// Calls through pointers, recursion, printf and assert. cubins/calls.cubin has the functions in sections of their own.
#include <cassert>
#include <cstdio>

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int squared(int x) { return x * x; }
__device__ int (*const functions[])(int) = {twice, squared};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void indirect(const int* x, int* y) {
  y[threadIdx.x] = functions[x[threadIdx.x] & 1](x[threadIdx.x]);
}

extern "C" __global__ void recursive(int* y) { y[threadIdx.x] = fibonacci(threadIdx.x & 7) + twice(threadIdx.x); }

extern "C" __global__ void print(int* y) {
  if (threadIdx.x < 2)
    printf("block %d thread %u: %5.2f %s %lld\n", blockIdx.x, threadIdx.x, 1.5 * threadIdx.x, "text", -(1LL << 40));
  y[threadIdx.x] = printf("%s", "");
}

extern "C" __global__ void check(const int* x) { assert(x[threadIdx.x] < 3); }

extern "C" __global__ void allocate(int** y) { y[threadIdx.x] = new int; }
