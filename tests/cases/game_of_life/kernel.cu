// Several generations of Life on a torus inside one block, 32 cells to a word: bit slices instead of cells.
extern "C" __global__ void game_of_life(const unsigned* x, unsigned* y, int rows, int generations) {
  extern __shared__ unsigned world[];  // two worlds of `rows` words each
  const int t = threadIdx.x;
  unsigned *now = world, *next = world + rows;
  if (t < rows) now[t] = x[t];
  __syncthreads();
  for (int g = 0; g < generations; ++g) {
    if (t < rows) {
      const unsigned lines[3] = {now[(t + rows - 1) % rows], now[t], now[(t + 1) % rows]};
      unsigned ones = 0, twos = 0, fours = 0;
      for (int k = 0; k < 3; ++k) {
        const unsigned c = lines[k], around[3] = {__funnelshift_l(c, c, 1), __funnelshift_r(c, c, 1), k == 1 ? 0u : c};
        for (int j = 0; j < 3; ++j) {
          const unsigned carry = ones & around[j];
          ones ^= around[j];
          fours |= twos & carry;
          twos ^= carry;
        }
      }
      next[t] = twos & ~fours & (ones | now[t]);
    }
    __syncthreads();
    unsigned* swap = now;
    now = next, next = swap;
  }
  if (t < rows) y[t] = now[t];
}
