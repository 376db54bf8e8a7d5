constexpr int segment = 256;  // elements per thread block

// Running maximum in segments of 256 elements: y[i] is the largest of the elements of x from the first element of
// the segment up to i. One thread computes one element.
__global__ void running_max(const float* x, float* y, int n) {
  __shared__ float largest[segment];
  int t = threadIdx.x;
  int i = blockIdx.x * segment + t;
  largest[t] = i < n ? x[i] : 0.0f;
  __syncthreads();

  // Before each round, largest[t] is the maximum of the `distance` elements that end at t.
  for (int distance = 1; distance < segment; distance *= 2) {
    if (t >= distance) {
      float left = largest[t - distance];
      __syncthreads();
      largest[t] = fmaxf(largest[t], left);
      __syncthreads();
    }
  }
  if (i < n) y[i] = largest[t];
}
