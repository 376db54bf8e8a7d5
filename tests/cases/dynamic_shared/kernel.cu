// Dynamic shared memory, divided by hand into an array of floats and an array of counters.
extern __shared__ unsigned char pool[];

extern "C" __global__ void dynamic_shared(const float* x, float* y, unsigned* counts, int n) {
  float* values = reinterpret_cast<float*>(pool);
  unsigned* below = reinterpret_cast<unsigned*>(values + blockDim.x);
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  values[t] = i < n ? x[i] : 3e38f;
  below[t] = 0;
  __syncthreads();
  for (int k = 0; k < blockDim.x; ++k) below[t] += values[k] < values[t] || (values[k] == values[t] && k < t);
  __syncthreads();
  if (i < n) {
    y[blockIdx.x * blockDim.x + below[t]] = values[t];  // sorted by rank
    counts[i] = below[t];
  }
}
