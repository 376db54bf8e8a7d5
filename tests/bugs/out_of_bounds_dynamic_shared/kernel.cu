// The launch provides 256 bytes of dynamic shared memory, but the kernel uses them as 128 floats.
extern "C" __global__ void stage(const float* x, float* y) {
  extern __shared__ float pool[];
  pool[threadIdx.x] = x[threadIdx.x];  // BUG: 64 floats fit, but there are 128 threads
  __syncthreads();
  y[threadIdx.x] = pool[127 - threadIdx.x];
}
