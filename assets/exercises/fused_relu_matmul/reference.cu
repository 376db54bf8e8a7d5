// relu of the product, one element after the other in each thread, for any grid.
__global__ void reference(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n; i += gridDim.x * blockDim.x) {
    int row = i / n, col = i % n;
    double sum = 0;
    for (int j = 0; j < k; ++j) sum += (double)a[row * k + j] * b[j * n + col];
    c[i] = sum > 0 ? (float)sum : 0.0f;
  }
}
