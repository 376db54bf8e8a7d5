// Bit operations on 32 and 64 bits: counts, fields, reversal, masks, three-input logic and the highest set bit.
extern "C" __global__ void bits(const unsigned long long* a, const unsigned* b, unsigned* y, unsigned long long* z,
                                int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long w = a[i];
  const unsigned u = (unsigned)w, v = (unsigned)(w >> 32), s = b[i], pos = s & 255, len = (s >> 8) & 255;
  unsigned* o = y + i * 24;
  o[0] = __popc(u), o[1] = __popcll(w), o[2] = __clz((int)u), o[3] = __clzll((long long)w);
  o[4] = __ffs((int)u), o[5] = __ffsll((long long)w), o[6] = __brev(u), o[7] = __fns(u, s & 31, (int)(s >> 5) % 5 - 2);
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(o[8]) : "r"(u), "r"(pos), "r"(len));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(o[9]) : "r"(u), "r"(pos), "r"(len));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(o[10]) : "r"(u), "r"(v), "r"(pos), "r"(len));
  asm("bfind.u32 %0, %1;" : "=r"(o[11]) : "r"(u));
  asm("bfind.s32 %0, %1;" : "=r"(o[12]) : "r"(v));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(o[13]) : "r"(u >> (s & 31)));
  asm("bfind.s64 %0, %1;" : "=r"(o[14]) : "l"(w));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(o[15]) : "r"(u), "r"(v), "r"(s));
  asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(o[16]) : "r"(u), "r"(v), "r"(s));
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(o[17]) : "r"(u), "r"(v), "r"(s));
  asm("cnot.b32 %0, %1;" : "=r"(o[18]) : "r"(u & s));
  asm("not.b32 %0, %1;" : "=r"(o[19]) : "r"(u));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(o[20]) : "r"(pos & 63), "r"(len & 63));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(o[21]) : "r"(pos), "r"(len));
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(o[22]) : "r"(u), "r"(pos & 63));
  asm("szext.wrap.u32 %0, %1, %2;" : "=r"(o[23]) : "r"(u), "r"(pos));
  unsigned long long* q = z + i * 4;
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(q[0]) : "l"(w), "r"(pos), "r"(len));
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(q[1]) : "l"(w), "r"(pos), "r"(len));
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(q[2]) : "l"(w), "l"(~w * 3), "r"(pos), "r"(len));
  q[3] = __brevll(w) ^ (w & ~(w - 1));
}
