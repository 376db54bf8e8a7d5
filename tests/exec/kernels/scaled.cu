// nvcc: -arch=sm_90
// The half of a product, which ptxas computes with one FMUL.D2.
extern "C" __global__ void scaled(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[n - 1 - i] * 0.5f;
}
