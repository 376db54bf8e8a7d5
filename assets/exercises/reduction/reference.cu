// The sum, by one thread.
__global__ void reference(const int* x, int* total, int n) {
  if (blockIdx.x > 0 || threadIdx.x > 0) return;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *total = sum;
}
