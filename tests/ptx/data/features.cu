// nvcc compiles this file to features.*.ptx, for several GPUs and with line information.
#include <cassert>
#include <cstdint>
#include <cstdio>

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

struct Node {
  float weight[5];
  int next;
  unsigned char tag;
};

__constant__ float coefficients[4] = {1.0f, 2.0f, 3.0f, -0.5f};
__device__ int counter = 7;
__device__ double table[2][3] = {{1.5, -2.5, 0.0}, {1e300, -0.0}};
__device__ const char* words[3] = {"walk", "warp", nullptr};
__device__ int* inside = &counter;
__managed__ int managed_value = 3;
extern __shared__ float dynamic[];

#pragma pack(push, 1)
struct Packed {
  char kind;
  int* where;
};
#pragma pack(pop)
__device__ Packed packed = {1, &counter};

__noinline__ __device__ float square(float x) { return x * x; }
__noinline__ __device__ float cube(float x) { return x * x * x; }
__device__ float (*operations[2])(float) = {square, cube};

__noinline__ __device__ Node step(Node node, int by) {
  node.next += by;
  node.weight[node.next & 3] *= 2.0f;
  return node;
}

__noinline__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

/// A spin lock in inline assembly, expanded twice with the same labels.
__device__ __forceinline__ void lock(int* at) {
  asm volatile(
      "{\n\t.reg .pred taken;\n\t.reg .b32 old;\n"
      "AGAIN:\n\tatom.global.cas.b32 old, [%0], 0, 1;\n\tsetp.eq.s32 taken, old, 0;\n\t"
      "@taken bra DONE;\n\tbra.uni AGAIN;\nDONE:\n\t}"
      :
      : "l"(at)
      : "memory");
}

extern "C" __global__ void __launch_bounds__(256, 2) everything(Node node, float* out, const int* in, int n, double d) {
  __shared__ float tile[16][17];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float local[8];
  for (int k = 0; k < 8; ++k) local[k] = node.weight[k % 5] + k;
  const Node after = step(node, i);
  dynamic[threadIdx.x] = after.weight[i % 5];
  __syncthreads();
  float v = dynamic[threadIdx.x ^ 1];
  switch (in[i]) {
    case 0: v += 1; break;
    case 1: v *= 7; break;
    case 2: v = __sinf(v); break;
    case 3: v = sqrtf(v); break;
    case 4: v = coefficients[i & 3]; break;
    case 5: v = operations[i & 1](v); break;
    case 6: v = static_cast<float>(atomicAdd(&counter, 1)); break;
    case 7: v = static_cast<float>(table[i & 1][i % 3] * d); break;
    case 8: v = sinf(v); break;
    case 9: v = local[i & 7]; break;
    default: v = static_cast<float>(fibonacci(i & 7));
  }
  tile[threadIdx.y][threadIdx.x & 15] = v;
  __syncthreads();
  v = tile[threadIdx.x & 15][threadIdx.y];
  v += __shfl_xor_sync(0xffffffffu, v, 16);
  if (__any_sync(0xffffffffu, v > 3.0f)) v += __popc(__ballot_sync(0xffffffffu, v > 1.0f));
  if (words[i % 3] != nullptr) v += words[i % 3][0];
  assert(n > 0);
  if (i == 0) printf("%d %f\n", n, v);
  lock(&counter);
  lock(&managed_value);
  *packed.where += 1;
  *inside += static_cast<int>(clock64());
  const __half2 h = __hfma2(__float2half2_rn(v), __float2half2_rn(2.0f), __float2half2_rn(1.0f));
  if (i < n) out[i] = v + __low2float(h) + static_cast<float>((static_cast<unsigned __int128>(i) * n) >> 3);
}

extern "C" __global__ void groups(float4* data, int n) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  float4 v = data[block.thread_rank()];
  v.x = warp.shfl_down(v.x, 1);
  v.y = __reduce_add_sync(0xffffffffu, n) + __double2float_rz(static_cast<double>(v.y));
  const auto active = cg::coalesced_threads();
  if (active.thread_rank() == 0) v.z = static_cast<float>(active.size());
  block.sync();
  data[block.thread_rank()] = v;
}

extern "C" __global__ void staged(const float4* in, float4* out) {
  __shared__ float4 stage[64];
  __pipeline_memcpy_async(&stage[threadIdx.x], &in[threadIdx.x], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  unsigned a[4], c[4] = {};
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&stage[threadIdx.x % 16]))));
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%4,%5}, {%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]));
  out[threadIdx.x] = make_float4(__uint_as_float(c[0]), __uint_as_float(c[1]), __uint_as_float(c[2]), 1.0f);
}
