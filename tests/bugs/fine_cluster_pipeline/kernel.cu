// Blocks hand data around a cluster in rounds; the barrier is used in two halves, with own work in between.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_pipeline(const int* x, int* y, int rounds) {
  __shared__ int buffer[2][64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[0][threadIdx.x] = x[i];
  cluster.sync();
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    cluster.map_shared_rank(&buffer[(k + 1) % 2][0], next)[threadIdx.x] = buffer[k % 2][threadIdx.x] + 1;
    cluster.barrier_arrive();
    sum += k * i;
    cluster.barrier_wait();
  }
  y[i] = sum + buffer[rounds % 2][threadIdx.x];
}
