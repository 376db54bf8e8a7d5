// Several passes over an array in one launch; each reads what the blocks wrote in the pass before. The barrier is also
// used in two halves.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void cooperative_passes(unsigned* a, unsigned* b, int passes) {
  cg::grid_group grid = cg::this_grid();
  const unsigned n = (unsigned)grid.num_threads(), i = (unsigned)grid.thread_rank();
  unsigned *from = a, *to = b;
  for (int pass = 0; pass < passes; ++pass) {
    to[i] = from[i] * 3 + from[(i + 1) % n] + from[(i + n - blockDim.x) % n] + pass;
    grid.sync();
    unsigned* const swap = from;
    from = to;
    to = swap;
  }
  to[i] = from[n - 1 - i] ^ i;
  auto token = grid.barrier_arrive();
  const unsigned meanwhile = i * i;
  grid.barrier_wait(std::move(token));
  from[i] = to[(i + 1) % n] + meanwhile;
}
