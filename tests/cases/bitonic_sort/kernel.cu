// Bitonic sort of 256 keys with their values in shared memory; a second output sorts each warp's keys with shuffles.
extern "C" __global__ void bitonic_sort(const int* x, int* keys, int* values, int* by_warp) {
  __shared__ int k[256], v[256];
  const int t = threadIdx.x;
  k[t] = x[blockIdx.x * 256 + t], v[t] = t;
  for (int size = 2; size <= 256; size <<= 1) {
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const int other = t ^ stride;
      if (other <= t) continue;
      const bool up = (t & size) == 0;
      if (k[t] > k[other] == up) {
        const int key = k[t], value = v[t];
        k[t] = k[other], v[t] = v[other], k[other] = key, v[other] = value;
      }
    }
  }
  __syncthreads();
  keys[blockIdx.x * 256 + t] = k[t], values[blockIdx.x * 256 + t] = x[blockIdx.x * 256 + v[t]];
  int own = x[blockIdx.x * 256 + t];
  const int lane = t & 31;
  for (int size = 2; size <= 32; size <<= 1)
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      const int other = __shfl_xor_sync(~0u, own, stride);
      own = ((lane & stride) == 0) == ((lane & size) == 0) ? min(own, other) : max(own, other);
    }
  by_warp[blockIdx.x * 256 + t] = own;
}
