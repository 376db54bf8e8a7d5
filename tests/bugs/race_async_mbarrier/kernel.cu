// An mbarrier tracks the asynchronous copies, but the threads only wait for each other.
__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void fetch(const float* x, float* y) {
  __shared__ float tile[64];
  __shared__ alignas(8) unsigned long long full;
  const unsigned bar = shared_address(&full), at = shared_address(&tile[threadIdx.x]);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(blockDim.x));
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(x + threadIdx.x));  // OTHER
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];  // BUG: nobody has waited for the mbarrier
}
