// One warp per row and step: running sums with shuffles, without shared memory. Each warp loads eight rows at once.
constexpr int cols = 32;
constexpr int block_rows = 128;
constexpr int own = 8;  // rows per warp at a time

__global__ void running_sums(const float* __restrict__ x, float* __restrict__ y, int rows) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int first = blockIdx.x * block_rows + warp * own; first < (blockIdx.x + 1) * block_rows;
       first += blockDim.x / 32 * own) {
    float sum[own];
#pragma unroll
    for (int k = 0; k < own; ++k) sum[k] = first + k < rows ? x[(first + k) * cols + lane] : 0.0f;
#pragma unroll
    for (int distance = 1; distance < cols; distance *= 2) {
#pragma unroll
      for (int k = 0; k < own; ++k) {
        float left = __shfl_up_sync(0xffffffff, sum[k], distance);
        if (lane >= distance) sum[k] += left;
      }
    }
#pragma unroll
    for (int k = 0; k < own; ++k) {
      if (first + k < rows) y[(first + k) * cols + lane] = sum[k];
    }
  }
}
