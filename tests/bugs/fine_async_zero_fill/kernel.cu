// nvcc: -arch=sm_80
// Correct: lanes past the end copy no bytes and get zeros.
extern "C" __global__ void fetch(const float* x, float* y, int n) {
  __shared__ float tile[64];
  const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
  const int bytes = threadIdx.x < n ? 4 : 0;
  const float* from = threadIdx.x < n ? x + threadIdx.x : x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(bytes));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}
