// One warp per row with shuffles; x is read three times.
// launch: grid (rows + 7) / 8, block 256
constexpr float lowest = -3.4e38f;
constexpr unsigned full_warp = 0xffffffff;

__global__ void softmax(const float* x, float* y, int rows, int cols, float scale) {
  int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
  if (row >= rows) return;
  const float* from = x + row * cols;
  float* to = y + row * cols;

  float largest = lowest, sum = 0;
  for (int col = lane; col < cols; col += 32) largest = fmaxf(largest, scale * from[col]);
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(full_warp, largest, distance));
  }
  for (int col = lane; col < cols; col += 32) sum += expf(scale * from[col] - largest);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(full_warp, sum, distance);
  for (int col = lane; col < cols; col += 32) to[col] = expf(scale * from[col] - largest) / sum;
}
