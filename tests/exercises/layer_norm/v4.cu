// One block of 128 threads per row. x is read once, with independent loads, and kept in registers; the sums are tree
// reductions in shared memory with a barrier per round.
constexpr int threads = 128;
constexpr int per_thread = 8;  // a row has at most 1,024 columns

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
  float v[per_thread], sum = 0, squares = 0;
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    int col = threadIdx.x + i * threads;
    v[i] = col < cols ? from[col] : 0;
    sum += v[i];
  }
  float mean = block_sum(sum, part) / cols;
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    v[i] -= mean;
    if (threadIdx.x + i * threads < cols) squares += v[i] * v[i];
  }
  float factor = rsqrtf(block_sum(squares, part) / cols + epsilon);
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    int col = threadIdx.x + i * threads;
    if (col < cols) to[col] = v[i] * factor * weight[col] + bias[col];
  }
}
