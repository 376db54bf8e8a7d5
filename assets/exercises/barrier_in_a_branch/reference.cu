// The running maximum, for any grid: one thread per segment.
__global__ void reference(const float* x, float* y, int n) {
  int segments = (n + 255) / 256;
  for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < segments; s += gridDim.x * blockDim.x) {
    float largest = x[s * 256];
    for (int i = s * 256; i < s * 256 + 256 && i < n; ++i) {
      if (x[i] > largest) largest = x[i];
      y[i] = largest;
    }
  }
}
