// The first thread of a block goes through the segment alone, and reads back from shared memory what it has stored.
constexpr int segment = 256;

__global__ void running_max(const float* x, float* y, int n) {
  __shared__ float largest[segment];
  int t = threadIdx.x, i = blockIdx.x * segment + t;
  largest[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (t == 0) {
    volatile float* values = largest;
#pragma unroll 1
    for (int k = 1; k < segment; ++k) {
      if (values[k] < values[k - 1]) values[k] = values[k - 1];
    }
  }
  __syncthreads();
  if (i < n) y[i] = largest[t];
}
