// Each cluster adds up its blocks' sums through distributed shared memory. The launch chooses the cluster size.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

extern "C" __global__ void cluster_reduction(const int* x, long long* sums, int n) {
  __shared__ long long block_sum;
  const cg::cluster_group cluster = cg::this_cluster();
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  if (block.thread_rank() == 0) block_sum = 0;
  block.sync();
  long long sum = 0;
  for (unsigned i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().num_threads()) sum += x[i];
  sum = cg::reduce(warp, sum, cg::plus<long long>());
  if (warp.thread_rank() == 0) atomicAdd((unsigned long long*)&block_sum, (unsigned long long)sum);
  cluster.sync();
  if (cluster.block_rank() == 0 && block.thread_rank() == 0) {
    long long total = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
      total += *cluster.map_shared_rank(&block_sum, rank);
    sums[blockIdx.x / cluster.num_blocks()] = total;
  }
  // No block may end while block 0 reads its memory.
  cluster.sync();
}
