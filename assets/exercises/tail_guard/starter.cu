// Converts temperatures: fahrenheit[i] = 1.8 * celsius[i] + 32 for i = 0 to n - 1. One thread computes one element.
__global__ void to_fahrenheit(const float* celsius, float* fahrenheit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  fahrenheit[i] = 1.8f * celsius[i] + 32.0f;
}
