// A loop arrives at the cluster's barrier in every iteration but waits only once.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) arrive_twice(int* y, int n) {
  const cg::cluster_group cluster = cg::this_cluster();
  for (int k = 0; k < n; ++k) {
    y[blockIdx.x * blockDim.x + threadIdx.x] += k;
    cluster.barrier_arrive();  // BUG: each arrive needs its wait
  }
  cluster.barrier_wait();
}
