// Each thread computes elements of c as sums in double.
__global__ void reference(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < m * n; e += gridDim.x * blockDim.x) {
    int row = e / n, column = e % n;
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += static_cast<double>(a[row * k + i]) * b[i * n + column];
    c[e] = static_cast<float>(sum);
  }
}
