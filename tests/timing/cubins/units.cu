// Kernels for tests/timing/units_test.cpp: the loops of some programs in tests/cuda/microbench.
// nvcc -std=c++20 -arch=sm_90 -cubin -O3 -o units_sm_90.cubin units.cu; -ptx for units.ptx

extern "C" {

/// 16 FFMA whose operands are one register.
__global__ void fma_same(float* sink, int rounds) {
  float f = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < rounds; ++k)
#pragma unroll
    for (int i = 0; i < 16; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f));
  if (f == 0.5f) *sink = f;
}

/// Eight times: lanes whose word is 0 jump over 16 FFMA; then all lanes come together for one.
__global__ void converge(float* sink, int rounds, const unsigned* words) {
  float f = threadIdx.x;
  const unsigned word = words[threadIdx.x & 31];
#pragma unroll 1
  for (int k = 0; k < rounds; ++k)
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      if (word != 0)
#pragma unroll
        for (int i = 0; i < 16; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f));
      asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f));
    }
  if (f == 0.5f) *sink = f;
}

/// A barrier and four loads from shared memory.
__global__ void __launch_bounds__(1024) barrier_loads(float* sink, int rounds) {
  __shared__ unsigned words[1056];
  words[threadIdx.x] = 0;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x));
  unsigned sum = 0;
  __syncthreads();
#pragma unroll 2
  for (int k = 0; k < rounds; ++k) {
    asm volatile("bar.sync 0;" ::: "memory");
    unsigned r[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[i]) : "r"(own + i * 4));
#pragma unroll
    for (unsigned v : r) asm volatile("xor.b32 %0, %0, %1;" : "+r"(sum) : "r"(v));
  }
  if (sum == 1) *sink = sum;
}

/// Eight fences for the block.
__global__ void fence_block(float* sink, int rounds) {
  float f = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < rounds; ++k)
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      asm volatile("fence.acq_rel.cta;" ::: "memory");
      asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f));
    }
  if (f == 0.5f) *sink = f;
}

/// Eight fences for the GPU.
__global__ void fence_gpu(float* sink, int rounds) {
  float f = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < rounds; ++k)
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
      asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f));
    }
  if (f == 0.5f) *sink = f;
}

}  // extern "C"
