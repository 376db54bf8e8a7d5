// The last access to another block's memory may come after that block has ended. Block 0 is slow to end here, so the
// access still happens to work.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_end(const int* x, int* y, int n) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  value[threadIdx.x] = x[i];
  cluster.sync();
  int sum = 0;
  if (cluster.block_rank() == 0) {
    for (int k = 0; k < n; ++k) {
      sum += x[k % 64];
      __syncthreads();
    }
  } else {
    sum = *cluster.map_shared_rank(value + threadIdx.x, 0);  // BUG: no cluster.sync() after
  }
  y[i] = sum;
}
