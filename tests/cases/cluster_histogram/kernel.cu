// A histogram whose bins are spread over the shared memory of the two blocks of a cluster.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int bins_per_block = 64;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_histogram(const unsigned* x, int* bins, int n) {
  __shared__ int mine[bins_per_block];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) mine[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned bin = x[i] % (2 * bins_per_block);
    int* const bins_there = cluster.map_shared_rank(mine, bin / bins_per_block);
    atomicAdd(&bins_there[bin % bins_per_block], 1);
  }
  cluster.sync();
  const int first = cluster.block_rank() * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(&bins[first + i], mine[i]);
}
