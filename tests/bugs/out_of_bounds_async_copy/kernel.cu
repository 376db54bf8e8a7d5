// nvcc: -arch=sm_80
// An asynchronous copy that reads past the end of the buffer.
extern "C" __global__ void fetch(const float* x, float* y) {
  __shared__ __align__(16) float tile[128];
  const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x * 4]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(x + threadIdx.x * 4));  // BUG: 128 of 120
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];
}
