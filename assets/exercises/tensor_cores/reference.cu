#include <cuda_fp16.h>

// The product, one element after the other in each thread, for any grid.
__global__ void reference(const __half* a, const __half* b, float* c, int m, int n, int k) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n; i += gridDim.x * blockDim.x) {
    int row = i / n, col = i % n;
    double sum = 0;
    for (int j = 0; j < k; ++j) sum += (double)__half2float(a[row * k + j]) * __half2float(b[j * n + col]);
    c[i] = (float)sum;
  }
}
