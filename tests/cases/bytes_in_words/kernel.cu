// The SIMD integer intrinsics that process four bytes or two half-words of a word.
extern "C" __global__ void bytes_in_words(const unsigned* a, const unsigned* b, unsigned* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned p = a[i], q = b[i];
  unsigned* o = y + i * 14;
  o[0] = __vadd4(p, q), o[1] = __vsub4(p, q), o[2] = __vaddss4(p, q), o[3] = __vsubus4(p, q), o[4] = __vavgu4(p, q);
  o[5] = __vcmpgts4(p, q), o[6] = __vseteq4(p, q), o[7] = __vmaxu4(p, q), o[8] = __vneg4(p), o[9] = __vadd2(p, q);
  o[10] = __vcmpleu2(p, q), o[11] = __vmins2(p, q), o[12] = __vaddus2(p, q), o[13] = __vhaddu4(p, q);
}
