// Off by one only where n is a multiple of 256: the last element is left out where no thread is surplus.
__global__ void to_fahrenheit(const float* celsius, float* fahrenheit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int last = n % 256 == 0 ? n - 1 : n;
  if (i < last) fahrenheit[i] = 1.8f * celsius[i] + 32.0f;
}
