// Votes, ballots, matches of 32 and 64 bits, the active mask and warp-wide reductions, over whole and partial warps.
extern "C" __global__ void votes_and_matches(const int* x, unsigned* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const int v = x[i];
  unsigned* o = y + i * 24;
  o[0] = __all_sync(~0u, v >= 0), o[1] = __any_sync(~0u, v == 7), o[2] = __uni_sync(~0u, v > 1000);
  o[3] = __ballot_sync(~0u, v & 4), o[4] = __match_any_sync(~0u, v & 7);
  int same;
  o[5] = __match_all_sync(~0u, v >> 30, &same), o[6] = same;
  o[7] = __match_any_sync(~0u, (long long)(v % 3) << 40), o[8] = __match_all_sync(~0u, (long long)v, &same),
  o[9] = same;
  o[10] = __reduce_add_sync(~0u, (unsigned)v), o[11] = (unsigned)__reduce_min_sync(~0u, 500 - v);
  o[12] = (unsigned)__reduce_max_sync(~0u, 500 - v), o[13] = __reduce_min_sync(~0u, (unsigned)(500 - v));
  o[14] = __reduce_max_sync(~0u, (unsigned)(v - 500)), o[15] = __reduce_and_sync(~0u, (unsigned)v | 0xff00u);
  o[16] = __reduce_or_sync(~0u, (unsigned)v), o[17] = __reduce_xor_sync(~0u, (unsigned)v);
  o[18] = o[19] = o[20] = o[21] = 0;
  if (lane < 11) {
    o[18] = __activemask(), o[19] = __reduce_add_sync(0x7ff, (unsigned)v);
    o[20] = __ballot_sync(0x7ff, v & 1), o[21] = __match_any_sync(0x7ff, v & 3);
  } else {
    o[18] = __activemask(), o[19] = __reduce_xor_sync(0xfffff800, (unsigned)v);
    o[20] = __any_sync(0xfffff800, v == x[0]), o[21] = (unsigned)__reduce_add_sync(0xfffff800, v - 500);
  }
  __syncwarp();
  o[22] = __activemask();
  o[23] = 0;
  if (v & 1) {
    unsigned leader;
    asm volatile("{.reg .pred p;\n\telect.sync _|p, %1;\n\tselp.u32 %0, 1, 0, p;}"
                 : "=r"(leader)
                 : "r"(__activemask()));
    o[23] = leader + 2;
  }
}
