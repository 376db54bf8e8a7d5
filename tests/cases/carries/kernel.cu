// 256-bit sums, differences and products with add.cc, addc, sub.cc, subc, mad.cc and madc.
extern "C" __global__ void carries(const unsigned* a, const unsigned* b, unsigned* sums, unsigned* products,
                                   unsigned long long* wide, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned p[8], q[8], s[9], d[9];
  for (int k = 0; k < 8; ++k) p[k] = a[i * 8 + k], q[k] = b[i * 8 + k];
  asm("add.cc.u32 %0, %9, %17;\n\taddc.cc.u32 %1, %10, %18;\n\taddc.cc.u32 %2, %11, %19;\n\taddc.cc.u32 %3, %12, "
      "%20;\n\t"
      "addc.cc.u32 %4, %13, %21;\n\taddc.cc.u32 %5, %14, %22;\n\taddc.cc.u32 %6, %15, %23;\n\t"
      "addc.cc.u32 %7, %16, %24;\n\taddc.u32 %8, 0, 0;"
      : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3]), "=r"(s[4]), "=r"(s[5]), "=r"(s[6]), "=r"(s[7]), "=r"(s[8])
      : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(p[4]), "r"(p[5]), "r"(p[6]), "r"(p[7]), "r"(q[0]), "r"(q[1]),
        "r"(q[2]), "r"(q[3]), "r"(q[4]), "r"(q[5]), "r"(q[6]), "r"(q[7]));
  asm("sub.cc.u32 %0, %9, %17;\n\tsubc.cc.u32 %1, %10, %18;\n\tsubc.cc.u32 %2, %11, %19;\n\tsubc.cc.u32 %3, %12, "
      "%20;\n\t"
      "subc.cc.u32 %4, %13, %21;\n\tsubc.cc.u32 %5, %14, %22;\n\tsubc.cc.u32 %6, %15, %23;\n\t"
      "subc.cc.u32 %7, %16, %24;\n\tsubc.u32 %8, 0, 0;"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7]), "=r"(d[8])
      : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(p[4]), "r"(p[5]), "r"(p[6]), "r"(p[7]), "r"(q[0]), "r"(q[1]),
        "r"(q[2]), "r"(q[3]), "r"(q[4]), "r"(q[5]), "r"(q[6]), "r"(q[7]));
  for (int k = 0; k < 9; ++k) sums[i * 18 + k] = s[k], sums[i * 18 + 9 + k] = d[k];
  unsigned r[8] = {};
  for (int j = 0; j < 4; ++j) {
    unsigned* t = r + j;
    asm("mad.lo.cc.u32 %0, %5, %6, %0;\n\tmadc.lo.cc.u32 %1, %5, %7, %1;\n\tmadc.lo.cc.u32 %2, %5, %8, %2;\n\t"
        "madc.lo.cc.u32 %3, %5, %9, %3;\n\taddc.u32 %4, %4, 0;"
        : "+r"(t[0]), "+r"(t[1]), "+r"(t[2]), "+r"(t[3]), "+r"(t[4])
        : "r"(p[j]), "r"(q[0]), "r"(q[1]), "r"(q[2]), "r"(q[3]));
    asm("mad.hi.cc.u32 %0, %4, %5, %0;\n\tmadc.hi.cc.u32 %1, %4, %6, %1;\n\tmadc.hi.cc.u32 %2, %4, %7, %2;\n\t"
        "madc.hi.u32 %3, %4, %8, %3;"
        : "+r"(t[1]), "+r"(t[2]), "+r"(t[3]), "+r"(t[4])
        : "r"(p[j]), "r"(q[0]), "r"(q[1]), "r"(q[2]), "r"(q[3]));
  }
  for (int k = 0; k < 8; ++k) products[i * 8 + k] = r[k];
  unsigned long long low, high;
  const unsigned long long x = ((unsigned long long)p[0] << 32) | p[1], y = ((unsigned long long)q[0] << 32) | q[1];
  asm("add.cc.u64 %0, %2, %3;\n\taddc.u64 %1, %2, 5;" : "=l"(low), "=l"(high) : "l"(x), "l"(y));
  wide[i * 4] = low, wide[i * 4 + 1] = high;
  asm("mad.lo.cc.u64 %0, %2, %3, %2;\n\tmadc.hi.u64 %1, %2, %3, %3;" : "=l"(low), "=l"(high) : "l"(x), "l"(y));
  wide[i * 4 + 2] = low, wide[i * 4 + 3] = high;
}
