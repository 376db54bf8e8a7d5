// A flag in another block's memory, with fences, as a message that its data is complete.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_flag(const int* x, int* y) {
  __shared__ int data[32], ready;
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) ready = 0;
  cluster.sync();
  const unsigned other = cluster.block_rank() ^ 1;
  cluster.map_shared_rank(data, other)[threadIdx.x] = x[i];
  __syncwarp();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(cluster.map_shared_rank(&ready, other), 1);
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence();
  }
  __syncwarp();
  y[i] = data[threadIdx.x];
  cluster.sync();
}
