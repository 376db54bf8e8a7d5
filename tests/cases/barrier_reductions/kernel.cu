// Barriers that also reduce a predicate over the block: count, and, or.
extern "C" __global__ void barrier_reductions(const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = x[i];
  int* o = y + i * 6;
  o[0] = __syncthreads_count(v & 1);
  o[1] = __syncthreads_and(v >= 0);
  o[2] = __syncthreads_or(v == 999);
  o[3] = __syncthreads_and(v % 100 != 50);
  o[4] = __syncthreads_count(v > 500 || (int)threadIdx.x < 5);
  asm volatile("{.reg .pred p;\n\tsetp.gt.s32 p, %1, 250;\n\tbarrier.red.popc.u32 %0, 3, 64, p;}"
               : "=r"(o[5])
               : "r"(v));
}
