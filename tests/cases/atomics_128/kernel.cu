// 128-bit exchange and compare-and-swap.
extern "C" __global__ void atomics_128(const unsigned long long* x, unsigned long long* p, unsigned long long* old) {
  const int i = threadIdx.x;
  unsigned long long low, high;
  asm volatile(
      "{.reg .b128 was, expected, next;\n\tmov.b128 expected, {%3, %4};\n\tmov.b128 next, {%5, %6};\n\t"
      "atom.global.cas.b128 was, [%2], expected, next;\n\tmov.b128 {%0, %1}, was;}"
      : "=l"(low), "=l"(high)
      : "l"(p + 2 * i), "l"(x[4 * i]), "l"(x[4 * i + 1]), "l"(x[4 * i + 2]), "l"(x[4 * i + 3])
      : "memory");
  old[4 * i] = low, old[4 * i + 1] = high;
  asm volatile(
      "{.reg .b128 was, next;\n\tmov.b128 next, {%3, %4};\n\tatom.global.exch.b128 was, [%2], next;\n\t"
      "mov.b128 {%0, %1}, was;}"
      : "=l"(low), "=l"(high)
      : "l"(p + 128 + 2 * i), "l"(x[4 * i + 1]), "l"(x[4 * i])
      : "memory");
  old[4 * i + 2] = low, old[4 * i + 3] = high;
}
