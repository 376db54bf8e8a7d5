// Ten steps in shared memory, each of which adds the element 1, 2, 4 ... places before, with two barriers per step.
constexpr int segment = 1024;

__global__ void block_scan(const int* x, int* y, int n) {
  __shared__ int sums[segment];
  int t = threadIdx.x, i = blockIdx.x * segment + t;
  sums[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = 1; d < segment; d *= 2) {
    int other = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += other;
    __syncthreads();
  }
  if (i < n) y[i] = sums[t];
}
