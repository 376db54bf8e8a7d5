// Adds 1 to the count of each byte, one after the other in each thread. counts holds zeros before the launch.
__global__ void reference(const unsigned char* x, int* counts, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&counts[x[i]], 1);
}
