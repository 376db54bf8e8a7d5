// Tiles of several warps, whose barriers and exchanges use shared memory that CUDA reserves.
#define _CG_ABI_EXPERIMENTAL
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

extern "C" __global__ void wide_tiles(const int* x, int* y) {
  const auto block = cg::this_thread_block();
  const auto wide = cg::tiled_partition<128>(block);
  const auto narrow = cg::tiled_partition<64>(wide);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int of_wide = cg::reduce(wide, x[i], cg::plus<int>());
  narrow.sync();
  const int of_narrow = cg::reduce(narrow, x[i], cg::greater<int>());
  y[i] = of_wide * 1000 + of_narrow + (int)wide.meta_group_rank() * 100 + (int)narrow.thread_rank();
}
