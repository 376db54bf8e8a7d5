// Doubles each element of a matrix of 64 x 64 numbers.
extern "C" __global__ void twice(const float* x, float* y, int n) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  const float value = x[column * n + row];  // BUG: row and column are exchanged
  const float doubled = value + value;
  y[row * n + column] = doubled;
}
