// Rounds with doubling distances, in one array: two barriers per round, which all threads reach.
constexpr int segment = 256;

__global__ void running_max(const float* x, float* y, int n) {
  __shared__ float largest[segment];
  int t = threadIdx.x, i = blockIdx.x * segment + t;
  largest[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int distance = 1; distance < segment; distance *= 2) {
    float left = t >= distance ? largest[t - distance] : largest[t];
    __syncthreads();
    largest[t] = fmaxf(largest[t], left);
    __syncthreads();
  }
  if (i < n) y[i] = largest[t];
}
