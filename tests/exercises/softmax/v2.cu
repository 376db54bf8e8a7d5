// One block of a single warp per row; the maximum and the sum go through shared memory, where lane 0 combines them.
// launch: grid rows, block 32
constexpr float lowest = -3.4e38f;

__global__ void softmax(const float* x, float* y, int rows, int cols, float scale) {
  __shared__ float part[32];
  int t = threadIdx.x;
  const float* from = x + blockIdx.x * cols;
  float* to = y + blockIdx.x * cols;

  float largest = lowest, sum = 0;
#pragma unroll 1
  for (int col = t; col < cols; col += 32) largest = fmaxf(largest, scale * from[col]);
  part[t] = largest;
  __syncthreads();
  if (t == 0) {
#pragma unroll 1
    for (int i = 1; i < 32; ++i) part[0] = fmaxf(part[0], part[i]);
  }
  __syncthreads();
  largest = part[0];
  __syncthreads();

#pragma unroll 1
  for (int col = t; col < cols; col += 32) sum += expf(scale * from[col] - largest);
  part[t] = sum;
  __syncthreads();
  if (t == 0) {
#pragma unroll 1
    for (int i = 1; i < 32; ++i) part[0] += part[i];
  }
  __syncthreads();
  sum = part[0];
#pragma unroll 1
  for (int col = t; col < cols; col += 32) to[col] = expf(scale * from[col] - largest) / sum;
}
