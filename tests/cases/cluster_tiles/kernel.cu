// A stencil on tiles: a block reads the borders of its neighbours in a cluster of 2 x 2 blocks. Also writes where each
// thread is in its cluster.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int width = 16, height = 8;

extern "C" __global__ void cluster_tiles(const int* x, int* y, unsigned* places) {
  __shared__ int tile[height][width];
  const cg::cluster_group cluster = cg::this_cluster();
  const int column = blockIdx.x * width + threadIdx.x, row = blockIdx.y * height + threadIdx.y;
  const int columns = gridDim.x * width;
  tile[threadIdx.y][threadIdx.x] = x[row * columns + column];
  cluster.barrier_arrive();
  unsigned* const place = places + (row * columns + column) * 8;
  place[0] = cluster.block_rank();
  place[1] = cluster.block_index().x + 16 * cluster.block_index().y + 256 * cluster.block_index().z;
  place[2] = cluster.dim_blocks().x + 16 * cluster.dim_blocks().y + 256 * cluster.dim_blocks().z;
  place[3] = cluster.thread_rank();
  unsigned clusters[3], id[3], is_explicit;
  asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters[0]));
  asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(clusters[1]));
  asm volatile("mov.u32 %0, %%nclusterid.z;" : "=r"(clusters[2]));
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(id[0]));
  asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(id[1]));
  asm volatile("mov.u32 %0, %%clusterid.z;" : "=r"(id[2]));
  asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(is_explicit));
  place[4] = clusters[0] + 16 * clusters[1] + 256 * clusters[2];
  place[5] = id[0] + 16 * id[1] + 256 * id[2];
  place[6] = is_explicit;
  place[7] = cluster.num_blocks() + 1000 * cluster.num_threads();
  cluster.barrier_wait();
  // The cell to the right and the one below, in the tile of the next block of the cluster, which wraps around.
  const unsigned right_block = (cluster.block_index().x + 1) % 2 + 2 * cluster.block_index().y;
  const unsigned below_block = cluster.block_index().x + (cluster.block_index().y + 1) % 2 * 2;
  const int(*right)[width] = threadIdx.x + 1 < width ? tile : cluster.map_shared_rank(tile, right_block);
  const int(*below)[width] = threadIdx.y + 1 < height ? tile : cluster.map_shared_rank(tile, below_block);
  y[row * columns + column] = 4 * tile[threadIdx.y][threadIdx.x] + 2 * right[threadIdx.y][(threadIdx.x + 1) % width] +
                              below[(threadIdx.y + 1) % height][threadIdx.x];
  cluster.sync();
}
