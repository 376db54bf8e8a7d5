// Each thread adds up whole segments of 1024 elements, one element after the other.
__global__ void reference(const int* x, int* y, int n) {
  int segments = (n + 1023) / 1024;
  for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < segments; s += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int i = s * 1024; i < s * 1024 + 1024 && i < n; ++i) {
      sum += x[i];
      y[i] = sum;
    }
  }
}
