// Counts in shared memory; each thread loads four bytes at a time.
constexpr int bins = 256;

__global__ void histogram(const unsigned char* x, int* counts, int n) {
  __shared__ int local[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  const uchar4* words = reinterpret_cast<const uchar4*>(x);
  for (int i = first; i < n / 4; i += stride) {
    uchar4 word = words[i];
    atomicAdd(&local[word.x], 1);
    atomicAdd(&local[word.y], 1);
    atomicAdd(&local[word.z], 1);
    atomicAdd(&local[word.w], 1);
  }
  for (int i = n / 4 * 4 + first; i < n; i += stride) atomicAdd(&local[x[i]], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (local[bin] > 0) atomicAdd(&counts[bin], local[bin]);
}
