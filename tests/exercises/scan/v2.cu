// One warp of each thread block goes through its segment, 32 elements at a time, with shuffles.
// launch: block 32
constexpr int segment = 1024;

__global__ void block_scan(const int* x, int* y, int n) {
  int lane = threadIdx.x, first = blockIdx.x * segment, before = 0;
#pragma unroll 1
  for (int i = first + lane; i - lane < min(first + segment, n); i += 32) {
    int sum = i < n ? x[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
      int other = __shfl_up_sync(~0u, sum, d);
      if (lane >= d) sum += other;
    }
    if (i < n) y[i] = before + sum;
    before += __shfl_sync(~0u, sum, 31);
  }
}
