// Correct: each thread copies a word asynchronously in each round, an mbarrier tracks the copies, and all threads wait
// for its phase. The two buffers take turns.
__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void rounds(const float* x, float* y, int count) {
  __shared__ float tile[2][64];
  __shared__ alignas(8) unsigned long long full;
  const unsigned bar = shared_address(&full);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(blockDim.x));
  __syncthreads();
  for (int k = 0; k < count; ++k) {
    const unsigned at = shared_address(&tile[k % 2][threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(x + k * 64 + threadIdx.x));
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar));
    int done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(bar), "r"(k & 1) : "memory");
    y[k * 64 + threadIdx.x] = tile[k % 2][63 - threadIdx.x];
    __syncthreads();
  }
}
