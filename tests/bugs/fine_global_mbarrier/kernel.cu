// Correct: one warp fills a buffer in global memory, the other waits for it at an mbarrier.
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init

extern "C" __global__ void hand_over(int* x, int* y) {
  __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
  if (threadIdx.x == 0) {
    init(&full, 64);
    init(&empty, 64);
  }
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  for (int k = 0; k < 4; ++k) {
    if (threadIdx.x < 32) {
      if (k > 0) empty.arrive_and_wait();
      x[lane] = 10 * k + lane;
      full.arrive_and_wait();
    } else {
      full.arrive_and_wait();
      y[32 * k + lane] = x[31 - lane];
      if (k < 3) empty.arrive_and_wait();
    }
  }
}
