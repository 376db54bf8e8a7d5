// Rounds with doubling distances, in two arrays: one barrier per round, and the own element in a register.
constexpr int segment = 256;

__global__ void running_max(const float* x, float* y, int n) {
  __shared__ float largest[2][segment];
  int t = threadIdx.x, i = blockIdx.x * segment + t;
  float m = i < n ? x[i] : 0.0f;
  int buffer = 0;
#pragma unroll
  for (int distance = 1; distance < segment; distance *= 2) {
    largest[buffer][t] = m;
    __syncthreads();
    if (t >= distance) m = fmaxf(m, largest[buffer][t - distance]);
    buffer = 1 - buffer;
  }
  if (i < n) y[i] = m;
}
