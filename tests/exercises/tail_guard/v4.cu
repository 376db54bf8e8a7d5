// One block per SM; each thread converts every 33792nd element, one after the other. Few loads are in flight.
// launch: grid 132, block 256
__global__ void to_fahrenheit(const float* celsius, float* fahrenheit, int n) {
  int stride = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    fahrenheit[i] = 1.8f * celsius[i] + 32.0f;
  }
}
