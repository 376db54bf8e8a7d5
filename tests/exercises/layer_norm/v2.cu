// One warp per row with shuffles; x is read three times.
// launch: grid (rows + 3) / 4, block 128
__device__ float warp_sum(float v) {
  for (int distance = 16; distance > 0; distance /= 2) v += __shfl_xor_sync(0xffffffff, v, distance);
  return v;
}

__global__ void layer_norm(const float* x, const float* weight, const float* bias, float* y, int rows,
                           int cols, float epsilon) {
  int lane = threadIdx.x % 32, row = blockIdx.x * 4 + threadIdx.x / 32;
  if (row >= rows) return;
  const float* from = x + row * cols;
  float* to = y + row * cols;
  float sum = 0, squares = 0;
  for (int col = lane; col < cols; col += 32) sum += from[col];
  float mean = warp_sum(sum) / cols;
  for (int col = lane; col < cols; col += 32) squares += (from[col] - mean) * (from[col] - mean);
  float variance = warp_sum(squares) / cols;
  for (int col = lane; col < cols; col += 32) {
    to[col] = (from[col] - mean) / sqrtf(variance + epsilon) * weight[col] + bias[col];
  }
}
