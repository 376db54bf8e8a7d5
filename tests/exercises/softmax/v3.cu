// One block of 128 threads per row with tree reductions in shared memory; x is read three times.
// launch: grid rows, block 128
constexpr float lowest = -3.4e38f;
constexpr int threads = 128;

__global__ void softmax(const float* x, float* y, int rows, int cols, float scale) {
  __shared__ float part[threads];
  int t = threadIdx.x;
  const float* from = x + blockIdx.x * cols;
  float* to = y + blockIdx.x * cols;

  float largest = lowest, sum = 0;
#pragma unroll 1
  for (int col = t; col < cols; col += threads) largest = fmaxf(largest, scale * from[col]);
  part[t] = largest;
  __syncthreads();
  for (int distance = threads / 2; distance > 0; distance /= 2) {
    if (t < distance) part[t] = fmaxf(part[t], part[t + distance]);
    __syncthreads();
  }
  largest = part[0];
  __syncthreads();

#pragma unroll 1
  for (int col = t; col < cols; col += threads) sum += expf(scale * from[col] - largest);
  part[t] = sum;
  __syncthreads();
  for (int distance = threads / 2; distance > 0; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];
    __syncthreads();
  }
  sum = part[0];
#pragma unroll 1
  for (int col = t; col < cols; col += threads) to[col] = expf(scale * from[col] - largest) / sum;
}
