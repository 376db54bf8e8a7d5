// A grid-stride loop, one element at a time: each load waits for the store before it.
constexpr int gains = 16;

__global__ void amplify(const float* gain, const float* x, float* y, int n) {
  float sum = 0.0f;
  for (int k = 0; k < gains; ++k) sum += gain[k];
  float mean = sum / gains;

  int threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) y[i] = x[i] * mean;
}
