// nvcc: -arch=sm_80
// Atomics of every type in global, shared and local memory, printf and assert.
#include <cassert>
#include <cstdio>

extern "C" __global__ void summed(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  __shared__ int shared_sum;
  __shared__ float shared_float;
  if (threadIdx.x == 0) shared_sum = 0, shared_float = 0;
  __syncthreads();
  int own = 5;
  int* const places[3] = {i, &shared_sum, &own};
  atomicAdd(places[threadIdx.x % 3], static_cast<int>(threadIdx.x));  // generic: three state spaces in one instruction
  atomicAdd(&shared_float, 0.5F);
  atomicMax(i + 1, static_cast<int>(threadIdx.x) - 20);
  atomicMin(i + 2, -static_cast<int>(threadIdx.x));
  atomicInc(u, 9);
  atomicDec(u + 1, 6);
  atomicXor(u + 2, threadIdx.x);
  atomicAdd(l, 1ULL << 33);
  atomicAdd(f, 0.25F);
  atomicAdd(d, 0.125);
  __syncthreads();
  if (threadIdx.x == 0) i[3] = shared_sum, f[1] = shared_float;
  if (threadIdx.x % 3 == 2) atomicAdd(i + 4, own);
}

extern "C" __global__ void told(int* y) {
  if (threadIdx.x < 2)
    printf("block %d thread %u: %5.2f %s|%-4d|%lld %c%%\n", blockIdx.x, threadIdx.x, 1.5 * threadIdx.x, "text", 42,
           -(1LL << 40), 'x');
  y[threadIdx.x] = printf("%s", "");
}

extern "C" __global__ void asserted(const int* x) { assert(x[threadIdx.x] < 3); }
