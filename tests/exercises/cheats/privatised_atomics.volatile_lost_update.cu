// Totals of blocks with volatile reads and writes instead of atomicAdd: a lost update.
// launch: grid min((n + 2047) / 2048, 264), block 512
constexpr int threads = 512, categories = 4;

__global__ void sum_by_category(const int* __restrict__ key, const int* __restrict__ amount, int* totals, int n) {
  __shared__ int own[threads / 32][categories];
  int t = threadIdx.x, whole = n / 4;
  const int4* keys = reinterpret_cast<const int4*>(key);
  const int4* amounts = reinterpret_cast<const int4*>(amount);
  int sum[categories] = {};
  for (int i = blockIdx.x * threads + t; i < whole; i += gridDim.x * threads) {
    int4 k = keys[i], a = amounts[i];
#pragma unroll
    for (int c = 0; c < categories; ++c) {
      int low = 250 * c, high = low + 250;
      if (k.x >= low && k.x < high) sum[c] += a.x;
      if (k.y >= low && k.y < high) sum[c] += a.y;
      if (k.z >= low && k.z < high) sum[c] += a.z;
      if (k.w >= low && k.w < high) sum[c] += a.w;
    }
  }
  if (blockIdx.x == 0 && t < n % 4) {
    int rest = whole * 4 + t;
    for (int c = 0; c < categories; ++c) sum[c] += key[rest] / 250 == c ? amount[rest] : 0;
  }
#pragma unroll
  for (int c = 0; c < categories; ++c) {
    sum[c] = __reduce_add_sync(0xffffffff, sum[c]);
    if (t % 32 == 0) own[t / 32][c] = sum[c];
  }
  __syncthreads();
  if (t < categories) {
    int all = 0;
#pragma unroll
    for (int w = 0; w < threads / 32; ++w) all += own[w][t];
    ((volatile int*)totals)[t] = ((volatile int*)totals)[t] + all;
  }
}
