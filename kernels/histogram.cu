// bins[v] += the number of bytes of value v: 256 bins, which the caller has set to 0.
//
// Shows: cheap atomics before expensive ones. A block counts in shared memory, where lanes that update the same bin
// wait for each other. Then it adds each bin to global memory once. Launch: any block, any number of blocks (a
// grid-stride loop).
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
