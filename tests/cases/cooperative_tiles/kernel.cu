// Cooperative groups: tiles of 8 and 16 lanes, and the group of currently coalesced lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

extern "C" __global__ void cooperative_tiles(const int* x, int* y, float* z) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile8 = cg::tiled_partition<8>(block);
  const auto tile16 = cg::tiled_partition<16>(block);
  const int i = block.group_index().x * block.size() + block.thread_rank();
  const int v = x[i];
  int* o = y + i * 7;
  o[0] = cg::reduce(tile8, v, cg::plus<int>()), o[1] = cg::reduce(tile16, v, cg::greater<int>());
  o[2] = tile8.shfl(v, 3) + tile16.meta_group_rank(), o[3] = cg::inclusive_scan(tile16, v),
  o[4] = (int)tile8.ballot(v & 1);
  o[5] = o[6] = 0;
  if (v & 2) {
    const cg::coalesced_group together = cg::coalesced_threads();
    o[5] = together.thread_rank() + 100 * together.size();
    o[6] = together.shfl(v, 0);
  }
  block.sync();
  z[i] = cg::reduce(tile8, 0.5f * v, cg::less<float>());
}
