// Block 1 waits for a flag that block 0 sets after a barrier at which block 1 has to arrive first.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_flag(int* y) {
  __shared__ int go;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) go = 0;
  cluster.sync();
  if (cluster.block_rank() == 1) {
    while (atomicAdd(&go, 0) == 0) {  // BUG: block 0 waits at the barrier below
    }
  }
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) atomicExch(cluster.map_shared_rank(&go, 1), 1);
  cluster.sync();
  y[blockIdx.x * blockDim.x + threadIdx.x] = go;
}
