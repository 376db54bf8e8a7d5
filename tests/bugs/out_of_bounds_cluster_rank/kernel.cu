// The last block of a cluster asks for the memory of the next one, which belongs to another cluster.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_rank(const int* x, int* y) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  value[threadIdx.x] = x[i];
  cluster.sync();
  y[i] = *cluster.map_shared_rank(value + threadIdx.x, cluster.block_rank() + 1);  // BUG: no wrap-around
  cluster.sync();
}
