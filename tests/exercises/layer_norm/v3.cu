// One block of 128 threads per row; tree reductions in shared memory with a barrier per round.
constexpr int threads = 128;

__device__ float block_sum(float v, float* part) {
  int t = threadIdx.x;
  part[t] = v;
  __syncthreads();
  for (int distance = threads / 2; distance > 0; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];
    __syncthreads();
  }
  v = part[0];
  __syncthreads();
  return v;
}

__global__ void layer_norm(const float* x, const float* weight, const float* bias, float* y, int rows,
                           int cols, float epsilon) {
  __shared__ float part[threads];
  const float* from = x + blockIdx.x * cols;
  float* to = y + blockIdx.x * cols;
  float sum = 0, squares = 0;
#pragma unroll 1
  for (int col = threadIdx.x; col < cols; col += threads) sum += from[col];
  float mean = block_sum(sum, part) / cols;
#pragma unroll 1
  for (int col = threadIdx.x; col < cols; col += threads) squares += (from[col] - mean) * (from[col] - mean);
  float variance = block_sum(squares, part) / cols;
#pragma unroll 1
  for (int col = threadIdx.x; col < cols; col += threads) {
    to[col] = (from[col] - mean) / sqrtf(variance + epsilon) * weight[col] + bias[col];
  }
}
