// Each thread adds up four neighbouring elements in registers; the sums of the threads are scanned with shuffles.
// launch: block 256
constexpr int segment = 1024, warps = 8;

__global__ void block_scan(const int* x, int* y, int n) {
  __shared__ int totals[warps];
  int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * segment + 4 * t;
  int4 v = {0, 0, 0, 0};
  if (i + 3 < n) {
    v = *reinterpret_cast<const int4*>(x + i);
  } else {  // the last elements
    if (i < n) v.x = x[i];
    if (i + 1 < n) v.y = x[i + 1];
    if (i + 2 < n) v.z = x[i + 2];
  }
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;

  int sum = v.w;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) totals[warp] = sum;
  __syncthreads();
  int before = sum - v.w;
  for (int other = 0; other < warps - 1; ++other)
    if (other < warp) before += totals[other];

  v = {v.x + before, v.y + before, v.z + before, v.w + before};
  if (i + 3 < n) {
    *reinterpret_cast<int4*>(y + i) = v;
  } else {
    if (i < n) y[i] = v.x;
    if (i + 1 < n) y[i + 1] = v.y;
    if (i + 2 < n) y[i + 2] = v.z;
  }
}
