// A stack allocation of dynamic size (alloca), passed to a called function.
__device__ __noinline__ int total(const int* values, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k) sum = sum * 3 + values[k];
  return sum;
}

extern "C" __global__ void stack_allocation(const int* x, int* y) {
  const int i = threadIdx.x, n = (x[i] & 15) + 1;
  int* values = static_cast<int*>(alloca(n * sizeof(int)));
  for (int k = 0; k < n; ++k) values[k] = x[(i + k) & 31];
  y[i] = total(values, n);
}
