// Guards only the store: the surplus threads still read past the end of the input.
__global__ void to_fahrenheit(const float* celsius, float* fahrenheit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = *static_cast<const volatile float*>(celsius + i);
  if (i < n) fahrenheit[i] = 1.8f * mine + 32.0f;
}
