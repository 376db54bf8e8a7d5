// Block 0 of a cluster reads the other blocks' sums, but only its own threads have been waited for.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_sum(const int* x, int* y) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  atomicAdd(&sum, x[blockIdx.x * blockDim.x + threadIdx.x]);  // OTHER
  __syncthreads();
  if (cluster.block_rank() == 0 && threadIdx.x < 4) {
    const int there = *cluster.map_shared_rank(&sum, threadIdx.x);  // BUG: needs cluster.sync() instead
    atomicAdd(&y[blockIdx.x / 4], there);
  }
  cluster.sync();
}
