// Blocks merge with atomicAdd(p, 0) and atomicExch(p, ...): each is atomic, both together are not; a lost update.
// launch: grid 132, block 512
constexpr int bins = 256;

__device__ void count(int* local, unsigned word) {
  for (int shift = 0; shift < 32; shift += 8) atomicAdd(&local[word >> shift & 255], 1);
}

__global__ void histogram(const unsigned char* x, int* counts, int n) {
  __shared__ int local[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  const uint4* vectors = reinterpret_cast<const uint4*>(x);
  for (int i = first; i < n / 16; i += stride) {
    uint4 vector = vectors[i];
    count(local, vector.x);
    count(local, vector.y);
    count(local, vector.z);
    count(local, vector.w);
  }
  for (int i = n / 16 * 16 + first; i < n; i += stride) atomicAdd(&local[x[i]], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    atomicExch(&counts[bin], atomicAdd(&counts[bin],0) + local[bin]);
}
