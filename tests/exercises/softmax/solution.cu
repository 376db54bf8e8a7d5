// One warp per row. Each lane keeps its elements of the row in registers, so x is read once and each exponential is
// computed once.
// launch: grid (rows + 3) / 4, block 128
constexpr float lowest = -3.4e38f;
constexpr unsigned full_warp = 0xffffffff;

// A row of at most 32 * per_lane columns, by one warp.
template <int per_lane>
__device__ void softmax_row(const float* from, float* to, int cols, float scale) {
  int lane = threadIdx.x % 32;
  float v[per_lane], largest = lowest, sum = 0;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    int col = lane + 32 * i;
    v[i] = col < cols ? scale * from[col] : lowest;
  }
#pragma unroll
  for (int i = 0; i < per_lane; ++i) largest = fmaxf(largest, v[i]);
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(full_warp, largest, distance));
  }
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    v[i] = __expf(v[i] - largest);
    sum += v[i];
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(full_warp, sum, distance);
  float factor = 1 / sum;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    int col = lane + 32 * i;
    if (col < cols) to[col] = v[i] * factor;
  }
}

__global__ void softmax(const float* x, float* y, int rows, int cols, float scale) {
  int row = blockIdx.x * 4 + threadIdx.x / 32;
  if (row >= rows) return;
  const float* from = x + row * cols;
  float* to = y + row * cols;
  if (cols <= 512) {
    softmax_row<16>(from, to, cols, scale);
  } else {
    softmax_row<32>(from, to, cols, scale);
  }
}
