// One atomic operation on global memory for each byte.
__global__ void histogram(const unsigned char* x, int* counts, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&counts[x[i]], 1);
}
