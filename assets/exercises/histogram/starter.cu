// Counts how often each byte occurs: counts[v] becomes the number of elements of x that are v.
// There are 256 counts, and all of them are 0 before the launch.
__global__ void histogram(const unsigned char* x, int* counts, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicAdd(&counts[x[i]], 1);
  }
}
