// The blocks without work return early, but grid.sync() waits for all blocks.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void grid_sync(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x * blockDim.x >= n) return;
  y[i] = x[i] * 2;
  cg::this_grid().sync();  // BUG: block 3 never comes here
  y[i] += y[n - 1 - i];
}
