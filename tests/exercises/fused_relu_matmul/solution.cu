// Tiles in shared memory, copied while the block computes on the previous ones, and 2 x 4 elements of c in registers. A
// block has eight groups of threads for the same elements of c; each takes an eighth of the tiles' depth.
// launch: grid (n + 31) / 32 x (m + 15) / 16, block 512
#include <cuda_pipeline.h>

constexpr int rows = 16, cols = 32, depth = 64;  // of the tiles: rows x depth of a, depth x cols of b
constexpr int groups = 8, group_threads = 64, threads = groups * group_threads;
constexpr int own_rows = 2, own_cols = 4;  // elements of c of a thread
constexpr int own_depth = depth / groups;

struct Tiles {
  float a[rows][depth + 4];
  float b[depth][cols];
};

// Starts to copy four elements, of which `inside` are in the matrix; the others become 0.
__device__ void start_copy(float* to, const float* from, int inside, const float* matrix, bool aligned) {
  if (aligned) {
    __pipeline_memcpy_async(to, inside > 0 ? from : matrix, 16, inside > 0 ? 0 : 16);
  } else {
    for (int i = 0; i < 4; ++i) {
      __pipeline_memcpy_async(to + i, i < inside ? from + i : matrix, 4, i < inside ? 0 : 4);
    }
  }
}

__device__ void start_tiles(Tiles& tiles, const float* a, const float* b, int top, int left, int j, int m, int n,
                            int k) {
  bool aligned = n % 4 == 0 && k % 4 == 0;
#pragma unroll
  for (int i = threadIdx.x; i < rows * depth / 4; i += threads) {
    int y = i / (depth / 4), x = i % (depth / 4) * 4;
    start_copy(&tiles.a[y][x], a + (top + y) * k + j + x, top + y < m ? k - j - x : 0, a, aligned);
  }
#pragma unroll
  for (int i = threadIdx.x; i < depth * cols / 4; i += threads) {
    int y = i / (cols / 4), x = i % (cols / 4) * 4;
    start_copy(&tiles.b[y][x], b + (j + y) * n + left + x, j + y < k ? n - left - x : 0, b, aligned);
  }
}

__global__ void matmul_relu(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
                            int n, int k) {
  __shared__ __align__(16) Tiles tiles[2];
  __shared__ float part[groups][rows][cols];
  int top = blockIdx.y * rows, left = blockIdx.x * cols;
  int group = threadIdx.x / group_threads, t = threadIdx.x % group_threads;
  int x = t % (cols / own_cols) * own_cols, y = t / (cols / own_cols) * own_rows, first = group * own_depth;
  float sum[own_rows][own_cols] = {};

  int current = 0;
  start_tiles(tiles[0], a, b, top, left, 0, m, n, k);
  __pipeline_commit();
  for (int j = 0; j < k; j += depth) {
    if (j + depth < k) start_tiles(tiles[1 - current], a, b, top, left, j + depth, m, n, k);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
#pragma unroll
    for (int d = first; d < first + own_depth; d += 4) {
      float4 u[own_rows], v[4];
#pragma unroll
      for (int p = 0; p < own_rows; ++p) u[p] = *reinterpret_cast<const float4*>(&tiles[current].a[y + p][d]);
#pragma unroll
      for (int e = 0; e < 4; ++e) v[e] = *reinterpret_cast<const float4*>(&tiles[current].b[d + e][x]);
#pragma unroll
      for (int p = 0; p < own_rows; ++p) {
        const float each[4] = {u[p].x, u[p].y, u[p].z, u[p].w};
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          sum[p][0] += each[e] * v[e].x;
          sum[p][1] += each[e] * v[e].y;
          sum[p][2] += each[e] * v[e].z;
          sum[p][3] += each[e] * v[e].w;
        }
      }
    }
    __syncthreads();
    current = 1 - current;
  }

#pragma unroll
  for (int p = 0; p < own_rows; ++p) {
#pragma unroll
    for (int q = 0; q < own_cols; ++q) part[group][y + p][x + q] = sum[p][q];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < rows * cols; i += threads) {
    int row = top + i / cols, col = left + i % cols;
    float all = 0;
#pragma unroll
    for (int g = 0; g < groups; ++g) all += part[g][i / cols][i % cols];
    if (row < m && col < n) c[row * n + col] = fmaxf(all, 0);
  }
}
