// Hangs: 64 threads arrive at an mbarrier that expects 65.
#include "cases.h"

__global__ void arrive(float* out) {
  __shared__ unsigned long long barrier;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 65;" ::"r"(at) : "memory");
  __syncthreads();
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
  int done = 0;
  while (done == 0)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.s32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(at)
        : "memory");
  out[threadIdx.x] = 1;
}

void launch_mbarrier() { arrive<<<1, 64>>>(on_gpu(std::vector<float>(64))); }
