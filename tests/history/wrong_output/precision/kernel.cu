// Adds an offset to numbers of up to 30 bits.
extern "C" __global__ void shifted(const int* x, int* y, int offset, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float number = (float)x[i];  // BUG: a float has 24 bits
  y[i] = (int)(number * 2.0f) + offset;
}
