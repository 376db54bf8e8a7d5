// Passes values around a ring of 16 blocks, more than a portable cluster has.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void cluster_of_sixteen(const int* x, int* y) {
  extern __shared__ int value[];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), i = blockIdx.x * blockDim.x + threadIdx.x;
  value[threadIdx.x] = x[i];
  cluster.sync();
  int sum = value[threadIdx.x];
  for (int step = 1; step < 16; step *= 2) {
    sum += cluster.map_shared_rank(value, (rank + step) % 16)[threadIdx.x];
    cluster.sync();
    value[threadIdx.x] = sum;
    cluster.sync();
  }
  y[i] = sum * 16 + rank;
}
