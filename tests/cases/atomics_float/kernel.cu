// Atomic sums of floats, doubles, halves, pairs and float vectors, with values whose sums are exact in any order.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void atomics_float(const int* x, float* f, double* d, __half2* h, __nv_bfloat162* b,
                                         __half* single, int n) {
  __shared__ float sf[4];
  __shared__ double sd[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (t < 4) sf[t] = 0.0f;
  if (t < 2) sd[t] = 0.0;
  __syncthreads();
  if (i < n) {
    const int v = x[i] & 15;
    atomicAdd(f + (v & 3), 0.25f * v);
    atomicAdd(d + (v & 1), v * 1.0 + 1.0 / 1024);
    atomicAdd(h + (v & 3), __floats2half2_rn((float)(v & 3), -0.5f));
    atomicAdd(b + (v & 3), __floats2bfloat162_rn(1.0f, (float)(v & 1)));
    atomicAdd(single, __float2half((float)(v & 1)));
    atomicAdd(sf + (v & 3), 0.5f * v);
    atomicAdd(sd + (v & 1), v - 7.25);
    atomicAdd(reinterpret_cast<float4*>(f) + 2, make_float4(1.0f, (float)v, 0.5f * v, -1.0f));
    atomicAdd(reinterpret_cast<float2*>(f) + 6, make_float2(2.0f, (float)-v));
  }
  __syncthreads();
  if (t < 4) atomicAdd(f + 4 + t, sf[t]);
  if (t < 2) atomicAdd(d + 2 + t, sd[t]);
  if (i == 0) f[15] = atomicExch(f + 14, 2.5f) + atomicAdd(f + 14, 1.0f);
}
