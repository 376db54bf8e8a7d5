// nvcc: -arch=sm_80
// The destination of an asynchronous copy is read without waiting for the copy.
extern "C" __global__ void fetch(const float* x, float* y) {
  __shared__ __align__(16) float tile[128];
  const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x * 4]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at), "l"(x + threadIdx.x * 4));  // OTHER
  asm volatile("cp.async.commit_group;");
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x * 4];  // BUG: wait_group is missing
  asm volatile("cp.async.wait_all;");
}
