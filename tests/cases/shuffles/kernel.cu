// Every shuffle mode with widths of 4 to 32 lanes, on 32 and 64 bits, and the predicate that indicates an in-range
// source.
extern "C" __global__ void shuffles(const int* x, const double* d, int* y, double* e) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const int v = x[i];
  int* o = y + i * 16;
  o[0] = __shfl_sync(~0u, v, 5), o[1] = __shfl_sync(~0u, v, v & 31), o[2] = __shfl_sync(~0u, v, v & 15, 16);
  o[3] = __shfl_sync(~0u, v, lane + 3, 8), o[4] = __shfl_up_sync(~0u, v, 1), o[5] = __shfl_up_sync(~0u, v, 3, 8);
  o[6] = __shfl_down_sync(~0u, v, 2), o[7] = __shfl_down_sync(~0u, v, 7, 16), o[8] = __shfl_xor_sync(~0u, v, 16);
  o[9] = __shfl_xor_sync(~0u, v, 5, 8), o[10] = __shfl_down_sync(~0u, v, v & 3, 4), o[11] = 0, o[12] = 0;
  if (lane & 1) {  // each half of the warp shuffles separately
    o[11] = __shfl_sync(0xaaaaaaaa, v, 7);
  } else {
    o[11] = __shfl_xor_sync(0x55555555, v, 2);
  }
  int inside;
  asm volatile("{.reg .pred p;\n\tshfl.sync.up.b32 %0|p, %2, 2, 0x1800, -1;\n\tselp.s32 %1, 1, 0, p;}"
               : "=r"(o[12]), "=r"(inside)
               : "r"(v));
  o[13] = inside;
  asm volatile("{.reg .pred p;\n\tshfl.sync.idx.b32 %0|p, %2, %3, 0x0f, -1;\n\tselp.s32 %1, 1, 0, p;}"
               : "=r"(o[14]), "=r"(inside)
               : "r"(v), "r"(lane ^ 9));
  o[15] = inside;
  e[2 * i] = __shfl_sync(~0u, d[i], (lane * 7) & 31), e[2 * i + 1] = __shfl_down_sync(~0u, d[i], 4, 8);
}
