// Cooperative launches, in which the blocks of a grid wait for each other, and how many blocks fit.
#include <algorithm>
#include <numeric>
#include <vector>

#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace {

namespace cg = cooperative_groups;

// A tree sum over the whole grid: every round needs what all blocks wrote in the last one.
__global__ void grid_sum(int* values, int count) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int half = count / 2; half > 0; half /= 2) {
    if (i < half) values[i] += values[i + half];
    grid.sync();
  }
}

__global__ void grid_facts(int* out) {
  const cg::grid_group grid = cg::this_grid();
  if (grid.thread_rank() != 0) return;
  out[0] = grid.is_valid();
  out[1] = static_cast<int>(grid.num_threads());
  out[2] = static_cast<int>(grid.num_blocks());
}

__global__ void tiles(const int* values, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const int sum = cg::reduce(tile, values[block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
  const auto odd = cg::binary_partition(tile, tile.thread_rank() % 2 == 1);
  const int most = cg::reduce(odd, values[block.thread_rank()], cg::greater<int>());
  if (odd.thread_rank() == 0 && tile.thread_rank() % 2 == 1) out[16 + tile.meta_group_rank()] = most;
  const cg::coalesced_group active = cg::coalesced_threads();
  if (block.thread_rank() == 0) out[32] = static_cast<int>(active.num_threads());
}

__global__ void uses_shared(float* out) {
  extern __shared__ float shared[];
  shared[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

void cooperative() {
  constexpr int count = 1024;
  std::vector<int> host(count);
  std::iota(host.begin(), host.end(), 1);
  int* values = nullptr;
  NEED(cudaMalloc(&values, count * sizeof(int)));
  NEED(cudaMemcpy(values, host.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  int n = count;
  void* arguments[] = {&values, &n};
  const auto* const kernel = reinterpret_cast<const void*>(&grid_sum);
  SHOW(cudaLaunchCooperativeKernel(kernel, dim3(4), dim3(128), arguments, 0, nullptr));
  int sum = 0;
  SHOW(cudaMemcpy(&sum, values, sizeof sum, cudaMemcpyDeviceToHost));
  std::printf("sum %d\n", sum);
  NEED(cudaMemcpy(values, host.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(8);
  config.blockDim = dim3(64);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  SHOW(cudaLaunchKernelExC(&config, kernel, arguments));
  NEED(cudaMemcpy(&sum, values, sizeof sum, cudaMemcpyDeviceToHost));
  std::printf("sum %d\n", sum);
  int facts[3] = {};
  void* only_values[] = {&values};
  SHOW(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&grid_facts), dim3(3, 2), dim3(32), only_values, 0,
                                   nullptr));
  NEED(cudaMemcpy(facts, values, sizeof facts, cudaMemcpyDeviceToHost));
  std::printf("valid %d, threads %d, blocks %d\n", facts[0], facts[1], facts[2]);
  grid_facts<<<2, 32>>>(values);
  NEED(cudaMemcpy(facts, values, sizeof facts, cudaMemcpyDeviceToHost));
  std::printf("in an ordinary launch: valid %d\n", facts[0]);
  int per_sm = 0, multiprocessors = 0;
  NEED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, 1024, 0));
  NEED(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  std::printf("blocks of 1024 threads per multiprocessor %d\n", per_sm);
  const int too_many = per_sm * multiprocessors + 1;
  SHOW(cudaLaunchCooperativeKernel(kernel, dim3(too_many), dim3(1024), arguments, 0, nullptr));
  SHOW(cudaLaunchCooperativeKernel(kernel, dim3(0), dim3(1024), arguments, 0, nullptr));
  SHOW(cudaDeviceSynchronize());
  NEED(cudaFree(values));
}

void groups() {
  int host[64], out[33] = {}, *values = nullptr, *result = nullptr;
  for (int i = 0; i < 64; ++i) host[i] = i * i % 37;
  NEED(cudaMalloc(&values, sizeof host));
  NEED(cudaMalloc(&result, sizeof out));
  NEED(cudaMemset(result, 0, sizeof out));
  NEED(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  tiles<<<1, 64>>>(values, result);
  NEED(cudaMemcpy(out, result, sizeof out, cudaMemcpyDeviceToHost));
  bool good = true;
  for (int t = 0; t < 8; ++t) {
    const int* const of_tile = host + 8 * t;
    good = good && out[t] == std::accumulate(of_tile, of_tile + 8, 0);
    good = good && out[16 + t] == std::max({of_tile[1], of_tile[3], of_tile[5], of_tile[7]});
  }
  check(good, "sums of tiles of 8 and maxima of their odd threads");
  std::printf("coalesced %d\n", out[32]);
  NEED(cudaFree(values));
  NEED(cudaFree(result));
}

void occupancy() {
  const auto* const kernel = reinterpret_cast<const void*>(&uses_shared);
  NEED(cudaFuncSetAttribute(uses_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
  for (const int threads : {32, 64, 128, 256, 512, 768, 1024})
    for (const std::size_t shared : {0, 10000, 60000, 150000}) {
      int blocks = -1;
      NEED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
      std::printf("%d threads, %zu bytes: %d blocks\n", threads, shared, blocks);
    }
  int blocks = -1, grid = -1, block = -1;
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 256, 0,
                                                              cudaOccupancyDisableCachingOverride));
  std::printf("%d blocks\n", blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0));
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 2048, 0));
  SHOW(cudaOccupancyMaxPotentialBlockSize(&grid, &block, uses_shared, 0, 0));
  std::printf("best block %d\n", block);
  SHOW(cudaOccupancyMaxPotentialBlockSize(&grid, &block, uses_shared, 0, 100));
  std::printf("best block up to 100: %d\n", block);
  std::size_t bytes = 0;
  SHOW(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 2, 256));
  std::printf("dynamic shared memory for 2 blocks: %zu\n", bytes);
}

}  // namespace

int main() {
  cooperative();
  groups();
  occupancy();
  return finish();
}
