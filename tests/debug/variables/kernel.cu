// Sums over a tile, with variables of all kinds: in registers, in local and shared memory, and in parameters.
struct Pair {
  float a;
  int b[3];
};

__device__ float scale(float x, int factor) {
  float doubled = x * factor;
  return doubled + 1.0f;
}

__device__ __noinline__ float deep(const float* row, int n) {
  float acc = 0.0f;
  for (int k = 0; k < n; ++k) acc += scale(row[k], k);
  return acc;
}

extern "C" __global__ void weighted(const float* x, float* y, int n, Pair pair) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float tile[64];
  int weights[8];
  for (int k = 0; k < 8; ++k) weights[k] = k * i + n;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    const float here = tile[k];
    sum += scale(here, weights[k & 7]);
  }
  y[i] = sum + deep(x, pair.b[i & 1]) + pair.a;
}
