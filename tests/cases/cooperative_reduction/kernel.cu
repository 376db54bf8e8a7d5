// A reduction in one launch: every block adds up its part, and after grid.sync() block 0 adds up the blocks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void cooperative_reduction(const int* x, long long* part, long long* sum, int n) {
  extern __shared__ long long partial[];
  const cg::grid_group grid = cg::this_grid();
  long long mine = 0;
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.num_threads()) mine += x[i];
  partial[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) part[blockIdx.x] = partial[0];
  grid.sync();
  if (grid.thread_rank() == 0) {
    long long total = grid.is_valid() ? 0 : -1;
    for (unsigned block = 0; block < grid.num_blocks(); ++block) total += part[block];
    *sum = total;
  }
}
