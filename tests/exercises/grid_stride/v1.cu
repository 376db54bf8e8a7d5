// A grid-stride loop that computes the mean again for each element.
constexpr int gains = 16;

__global__ void amplify(const float* gain, const float* x, float* y, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float sum = 0.0f;
#pragma unroll 4
    for (int k = 0; k < gains; ++k) sum += gain[k];
    y[i] = x[i] * (sum / gains);
  }
}
