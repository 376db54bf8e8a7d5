// nvcc: -arch=sm_75
// Compiled for the oldest GPUs that nvcc still supports: halves, shuffles, matches, and min and max by comparison.
#include <cuda_fp16.h>

extern "C" __global__ void architecture_75(const __half2* a, const int* x, __half2* y, int* z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 p = a[i], q = __shfl_xor_sync(~0u, p, 3);
  y[2 * i] = __hfma2(p, q, __hadd2(p, p)), y[2 * i + 1] = __hmax2(__hmul2(p, q), __hneg2(q));
  int sum = x[i];
  for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
  const unsigned peers = __match_any_sync(~0u, x[i] % 5);
  z[i] = sum + __popc(peers) * (max(x[i], 300) - min(x[i], 600)) + (int)__umulhi((unsigned)x[i] << 22, 0xCCCCCCCDu);
}
