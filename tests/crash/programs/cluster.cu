// Block 0 reads the shared memory of a block that has ended.
#include <cooperative_groups.h>

#include "cases.h"

__global__ void __cluster_dims__(2, 1, 1) neighbour(float* out) {
  __shared__ float mine[32];
  mine[threadIdx.x] = static_cast<float>(threadIdx.x);
  cooperative_groups::this_cluster().sync();
  if (blockIdx.x == 1) return;
  for (int i = 0; i < 10000; ++i) __nanosleep(1000);
  out[threadIdx.x] = *cooperative_groups::this_cluster().map_shared_rank(&mine[threadIdx.x], 1);
}

void launch_cluster() { neighbour<<<2, 32>>>(on_gpu(std::vector<float>(32))); }
