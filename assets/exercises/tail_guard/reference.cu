// The converted temperatures, for any grid.
__global__ void reference(const float* celsius, float* fahrenheit, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    fahrenheit[i] = (float)(1.8 * (double)celsius[i] + 32.0);
  }
}
