// A small grid; each thread converts every 4096th element, one after the other. Few loads are in flight.
// launch: grid 16, block 256
__global__ void to_fahrenheit(const float* celsius, float* fahrenheit, int n) {
  int stride = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    fahrenheit[i] = 1.8f * celsius[i] + 32.0f;
  }
}
