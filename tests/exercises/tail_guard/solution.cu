// One element per thread; threads past the end do nothing.
__global__ void to_fahrenheit(const float* celsius, float* fahrenheit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) fahrenheit[i] = 1.8f * celsius[i] + 32.0f;
}
