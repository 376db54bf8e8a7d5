// Correct: the blocks of a cluster exchange words through global memory around cluster.sync().
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4, 1, 1) exchange(int* x, int* y) {
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned first = blockIdx.x / 4 * 4, rank = blockIdx.x % 4, t = threadIdx.x;
  for (int k = 0; k < 3; ++k) {
    x[blockIdx.x * blockDim.x + t] = k + t;
    cluster.sync();
    y[blockIdx.x * blockDim.x + t] = x[(first + (rank + 1) % 4) * blockDim.x + t];
    cluster.sync();
  }
}
