// nvcc: -arch=sm_80
// Divergent lanes: loops, switches, calls, recursion, function pointers, a lock within a warp.
using Function = int (*)(int);
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ __noinline__ int negative(int x) { return -x; }
__device__ Function functions[3] = {twice, square, negative};
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void nested(int* y) {
  int steps = 0;
  for (int n = threadIdx.x + 1; n != 1;) {
    if (n % 2 == 0) {
      n /= 2;
    } else {
      for (int k = 0; k < n % 3; ++k) ++steps;
      n = 3 * n + 1;
    }
    ++steps;
  }
  y[threadIdx.x] = steps;
}

extern "C" __global__ void switched(const int* x, int* y) {
  int v = x[threadIdx.x];
  switch (v) {
    case 0: v = 11; break;
    case 1: v = 7 * v + 3; break;
    case 2: v = fibonacci(10); break;
    case 3: v ^= 0x55;  // falls through
    case 4: v <<= 3; break;
    case 5: return;
    case 6: v = v * v * v; break;
    case 7: v = -v; break;
    default: v = 1000; break;
  }
  y[threadIdx.x] = v;
}

extern "C" __global__ void pointed(const int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = functions[x[i] % 3](i) + fibonacci(i % 12);
}

extern "C" __global__ void locked(int* lock, int* count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *count = *count + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

extern "C" __global__ void guarded_pieces(const int* x, int* y) {
  int pieces[8];
  for (int k = 0; k < 8; ++k) pieces[k] = threadIdx.x * 10 + k;
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += pieces[x[(threadIdx.x + k) % 32] & 7];
  y[threadIdx.x] = sum;
}
