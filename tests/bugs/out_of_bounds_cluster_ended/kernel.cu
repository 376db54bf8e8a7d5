// Block 1 ends without waiting for block 0, which still reads its memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_ended(const int* x, int* y, int n) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  value[threadIdx.x] = x[i];
  cluster.sync();
  if (cluster.block_rank() == 1) return;
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += x[k % 64];
    __syncthreads();
  }
  y[i] = sum + *cluster.map_shared_rank(value + threadIdx.x, 1);  // BUG: block 1 has ended
}
