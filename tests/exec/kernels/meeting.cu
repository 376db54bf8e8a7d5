// nvcc: -arch=sm_80
// Cooperation of threads: shuffles in several groups, votes, named barriers, mbarriers, asynchronous copies.
extern "C" __global__ void tiles(const int* x, int* y) {
  const unsigned lane = threadIdx.x % 32, group = lane / 8, mask = 0xffu << 8 * group;
  int v = x[threadIdx.x];
  for (int step = 4; step > 0; step /= 2) v += __shfl_xor_sync(mask, v, step, 8);
  y[threadIdx.x] = v;
}

extern "C" __global__ void votes(const int* x, unsigned* y) {
  const int v = x[threadIdx.x];
  unsigned result = 0;
  if (threadIdx.x % 2 == 0)
    result = __ballot_sync(0x55555555, v > 50);
  else
    result = __any_sync(0xaaaaaaaa, v > 98) ? 1 : __all_sync(0xaaaaaaaa, v >= 0) ? 2 : 3;
  y[threadIdx.x] = result;
  y[threadIdx.x + 32] = __match_any_sync(~0u, v % 3);
  y[threadIdx.x + 64] = __reduce_max_sync(~0u, static_cast<unsigned>(v));
}

extern "C" __global__ void handed_over(const int* x, int* y) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  if (i < 64) {
    s[i] = 3 * x[i];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    y[i - 64] = s[127 - i];
  }
  const int odd = __syncthreads_count(x[i] & 1);
  if (i == 0) {
    y[64] = odd;
  }
  const bool any = __syncthreads_or(x[i] > 98), all = __syncthreads_and(x[i] >= 0);
  if (i == 1) y[65] = any + 2 * all;
}

extern "C" __global__ void phases(const int* x, int* y) {
  __shared__ int s[128];
  __shared__ unsigned long long barrier;
  const int i = threadIdx.x;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (i == 0) asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(address) : "memory");
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    s[i] = x[i] + round;
    for (int half = 0; half < 2; ++half) {
      unsigned long long state;
      asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
      int ended = 0;
      while (ended == 0)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                     : "=r"(ended)
                     : "r"(address), "l"(state)
                     : "memory");
      if (half == 0) sum = 2 * sum + s[127 - i];
    }
  }
  y[i] = sum;
}

extern "C" __global__ void copied(const int* x, int* y) {
  __shared__ __align__(16) int s[128];
  const int i = threadIdx.x;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(s + 4 * i));
  const int bytes = i == 5 ? 8 : 16;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(x + 4 * i), "r"(bytes) : "memory");
  asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (int k = 0; k < 4; ++k) y[i + 32 * k] = s[127 - i - 32 * k];
}
