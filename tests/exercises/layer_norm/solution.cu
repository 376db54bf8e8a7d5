// One block of 128 threads per row. Each thread keeps its elements of the row in registers, so x is read once. Shuffles
// add within the warps, and only the sums of the warps go through shared memory.
constexpr int threads = 128, warps = threads / 32;
constexpr int per_thread = 8;  // a row has at most 1,024 columns

// The sum of v over the block. Each call uses its own array.
__device__ float block_sum(float v, float* warp_sums) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) v += __shfl_xor_sync(0xffffffff, v, distance);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
#pragma unroll
  for (int i = 0; i < warps; ++i) v += warp_sums[i];
  return v;
}

__global__ void layer_norm(const float* __restrict__ x, const float* __restrict__ weight,
                           const float* __restrict__ bias, float* __restrict__ y, int rows, int cols,
                           float epsilon) {
  __shared__ float warp_sums[2][warps];
  const float* from = x + blockIdx.x * cols;
  float* to = y + blockIdx.x * cols;

  float v[per_thread], w[per_thread], b[per_thread], sum = 0, squares = 0;
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    int col = threadIdx.x + i * threads;
    v[i] = col < cols ? from[col] : 0;
    w[i] = col < cols ? weight[col] : 0;  // needed later, but they arrive while the sums are computed
    b[i] = col < cols ? bias[col] : 0;
    sum += v[i];
  }
  float mean = block_sum(sum, warp_sums[0]) / cols;
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    v[i] -= mean;
    if (threadIdx.x + i * threads < cols) squares += v[i] * v[i];
  }
  float factor = rsqrtf(block_sum(squares, warp_sums[1]) / cols + epsilon);
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    int col = threadIdx.x + i * threads;
    if (col < cols) to[col] = v[i] * factor * w[i] + b[i];
  }
}
