// The amplified signal, for any grid.
__global__ void reference(const float* gain, const float* x, float* y, int n) {
  double sum = 0;
  for (int k = 0; k < 16; ++k) sum += gain[k];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = (float)(x[i] * (sum / 16));
  }
}
