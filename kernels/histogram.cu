// bins[v] += the number of bytes of value v: 256 bins, which the caller has set to 0.
//
// Shows: atomics where they are cheap before those where they are dear. A block counts in shared memory, where lanes
// that meet in a bin wait for each other; then it adds each bin to global memory once. Launch: any block, as many
// blocks as wanted (a grid-stride loop).
constexpr int values = 256;

extern "C" __global__ void histogram(const unsigned char* x, unsigned* bins, int n) {
  __shared__ unsigned own[values];
  for (int v = threadIdx.x; v < values; v += blockDim.x) own[v] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[x[i]], 1u);
  __syncthreads();
  for (int v = threadIdx.x; v < values; v += blockDim.x)
    if (own[v] > 0) atomicAdd(&bins[v], own[v]);
}
