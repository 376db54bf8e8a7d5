// y = softmax of each row of x, one block per row, rows of any length.
//
// Shows: two reductions over a block (the maximum, then the sum) between three passes over the row. The maximum is
// subtracted first, so that e^(x - largest) is at most 1 and cannot overflow.
// Launch: a block of 32 to 1024 threads, whole warps; one block per row.
template <typename Combine>
__device__ float over_block(float v, float* of_warp, Combine combine) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int by = 16; by > 0; by /= 2) v = combine(v, __shfl_xor_sync(0xffffffffu, v, by));
  __syncthreads();  // threads may still read the result of the previous reduction
  if (lane == 0) of_warp[warp] = v;
  __syncthreads();
  v = of_warp[0];
  for (int w = 1; w < warps; ++w) v = combine(v, of_warp[w]);
  return v;  // the same in every thread
}

extern "C" __global__ void softmax(const float* x, float* y, int rows, int columns) {
  __shared__ float of_warp[32];
  if (blockIdx.x >= rows) return;
  const float* from = x + static_cast<long long>(blockIdx.x) * columns;
  float* to = y + static_cast<long long>(blockIdx.x) * columns;

  float largest = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) largest = fmaxf(largest, from[c]);
  largest = over_block(largest, of_warp, [](float a, float b) { return fmaxf(a, b); });

  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(from[c] - largest);
  sum = over_block(sum, of_warp, [](float a, float b) { return a + b; });

  for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = expf(from[c] - largest) / sum;
}
