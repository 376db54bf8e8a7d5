// Recursive functions whose depth differs between the lanes of a warp.
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ __noinline__ void hanoi(int disks, int from, int to, unsigned* trace) {
  if (disks == 0) return;
  hanoi(disks - 1, from, 6 - from - to, trace);
  *trace = *trace * 31u + (unsigned)(from * 4 + to);
  hanoi(disks - 1, 6 - from - to, to, trace);
}

extern "C" __global__ void recursion(const int* x, int* y, unsigned* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = fibonacci(x[i] % 10) + (x[i] & 1 ? (int)ackermann((unsigned)x[i] % 3, (unsigned)x[i] % 5) : 0);
  unsigned trace = 1;
  hanoi(x[i] % 6, 1, 3, &trace);
  z[i] = trace;
}
