// Every block writes to its neighbour's memory at once; the neighbour may not have started yet.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_start(const int* x, int* y) {
  __shared__ int inbox[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cluster.map_shared_rank(inbox, cluster.block_rank() ^ 1)[threadIdx.x] = x[i];  // BUG: no cluster.sync() before
  cluster.sync();
  y[i] = inbox[threadIdx.x];
}
