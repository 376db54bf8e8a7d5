// Right in the first launch of a process only: `started` is never reset.
__device__ int started = 0;
__global__ void to_fahrenheit(const float* celsius, float* fahrenheit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int order = atomicAdd(&started, 1);
  if (i < n && order < gridDim.x * blockDim.x) fahrenheit[i] = 1.8f * celsius[i] + 32.0f;
}
