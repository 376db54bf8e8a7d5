// The first thread of a block goes through the segment alone, with the maximum in a register.
constexpr int segment = 256;

__global__ void running_max(const float* x, float* y, int n) {
  __shared__ float largest[segment];
  int t = threadIdx.x, i = blockIdx.x * segment + t;
  largest[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (t == 0) {
    float m = largest[0];
    for (int k = 1; k < segment; ++k) {
      m = fmaxf(m, largest[k]);
      largest[k] = m;
    }
  }
  __syncthreads();
  if (i < n) y[i] = largest[t];
}
