// Half of each block waits at the block's barrier, the other half at the cluster's.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_barriers(int* y) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 32) {
    cluster.sync();  // BUG: the other warp never arrives here
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");  // OTHER
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
