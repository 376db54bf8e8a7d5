// Clusters of blocks: their shape, their barrier, shared memory of the other blocks.
#include <vector>

#include "check.h"
#include <cooperative_groups.h>

namespace {

namespace cg = cooperative_groups;

// Each block sums its part into its own shared memory; block 0 of the cluster adds what it reads from the others.
__global__ void __cluster_dims__(4, 1, 1) cluster_sum(const int* values, int* sums) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, values[blockIdx.x * blockDim.x + threadIdx.x]);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    int total = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) total += *cluster.map_shared_rank(&sum, rank);
    sums[blockIdx.x / cluster.num_blocks()] = total;
  }
  cluster.sync();
}

// A histogram whose bins lie in the shared memory of all blocks of a cluster.
__global__ void histogram(const int* values, int count, int* bins, int bins_per_block) {
  extern __shared__ int own[];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) own[i] = 0;
  cluster.sync();
  for (int i = static_cast<int>(cluster.thread_rank()); i < count; i += static_cast<int>(cluster.num_threads())) {
    const int bin = values[i];
    atomicAdd(cluster.map_shared_rank(own, bin / bins_per_block) + bin % bins_per_block, 1);
  }
  cluster.sync();
  const int first = static_cast<int>(cluster.block_rank()) * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(bins + first + i, own[i]);
}

__global__ void shapes(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  const dim3 in_cluster = cluster.block_index(), size = cluster.dim_blocks();
  if (threadIdx.x != 0) return;
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  out[block] = cluster.block_rank() * 10000 + size.x * 1000 + size.y * 100 + in_cluster.x * 10 + in_cluster.y;
}

cudaLaunchConfig_t config_of(dim3 grid, dim3 block, cudaLaunchAttribute* attribute, dim3 cluster) {
  attribute->id = cudaLaunchAttributeClusterDimension;
  attribute->val.clusterDim.x = cluster.x;
  attribute->val.clusterDim.y = cluster.y;
  attribute->val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.attrs = attribute;
  config.numAttrs = 1;
  return config;
}

void sums() {
  constexpr int count = 8 * 128;
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = i % 100;
  int *device = nullptr, *result = nullptr, host[2] = {};
  NEED(cudaMalloc(&device, count * sizeof(int)));
  NEED(cudaMalloc(&result, sizeof host));
  NEED(cudaMemcpy(device, values.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  cluster_sum<<<8, 128>>>(device, result);
  SHOW(cudaGetLastError());
  SHOW(cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("sums %d %d\n", host[0], host[1]);
  cluster_sum<<<6, 128>>>(device, result);  // no multiple of the cluster
  SHOW(cudaGetLastError());
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config = config_of(dim3(8), dim3(128), &attribute, dim3(2));
  SHOW(cudaLaunchKernelEx(&config, cluster_sum, static_cast<const int*>(device), result));  // not the compiled size
  SHOW(cudaDeviceSynchronize());
  NEED(cudaFree(device));
  NEED(cudaFree(result));
}

void histograms() {
  constexpr int count = 4096, bins = 256;
  std::vector<int> values(count), expected(bins, 0), got(bins);
  unsigned state = 1;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = state >> 24;
    ++expected[value];
  }
  int *device = nullptr, *result = nullptr;
  NEED(cudaMalloc(&device, count * sizeof(int)));
  NEED(cudaMalloc(&result, bins * sizeof(int)));
  NEED(cudaMemcpy(device, values.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  for (const unsigned size : {1u, 2u, 4u, 8u}) {
    NEED(cudaMemset(result, 0, bins * sizeof(int)));
    cudaLaunchAttribute attribute{};
    cudaLaunchConfig_t config = config_of(dim3(size), dim3(128), &attribute, dim3(size));
    config.dynamicSmemBytes = bins / size * sizeof(int);
    NEED(cudaLaunchKernelEx(&config, histogram, static_cast<const int*>(device), count, result,
                            static_cast<int>(bins / size)));
    NEED(cudaMemcpy(got.data(), result, bins * sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("histogram in %u blocks: ", size);
    check(got == expected, "equal");
  }
  NEED(cudaFree(device));
  NEED(cudaFree(result));
}

void shapes_and_errors() {
  int *device = nullptr, host[16] = {};
  NEED(cudaMalloc(&device, sizeof host));
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config = config_of(dim3(4, 4), dim3(32), &attribute, dim3(2, 2));
  SHOW(cudaLaunchKernelEx(&config, shapes, device));
  SHOW(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) std::printf("%05d%c", host[i], i % 4 == 3 ? '\n' : ' ');
  shapes<<<2, 32>>>(device);
  SHOW(cudaMemcpy(host, device, 2 * sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("without a cluster %05d %05d\n", host[0], host[1]);
  config = config_of(dim3(4, 3), dim3(32), &attribute, dim3(2, 2));
  SHOW(cudaLaunchKernelEx(&config, shapes, device));
  config = config_of(dim3(16, 1), dim3(32), &attribute, dim3(16));
  SHOW(cudaLaunchKernelEx(&config, shapes, device));
  SHOW(cudaFuncSetAttribute(shapes, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  SHOW(cudaLaunchKernelEx(&config, shapes, device));
  SHOW(cudaDeviceSynchronize());
  config = config_of(dim3(32, 1), dim3(32), &attribute, dim3(32));
  SHOW(cudaLaunchKernelEx(&config, shapes, device));
  config = config_of(dim3(4), dim3(32), &attribute, dim3(0));
  SHOW(cudaLaunchKernelEx(&config, shapes, device));
  SHOW(cudaDeviceSynchronize());
  NEED(cudaFree(device));
}

void occupancy() {
  const auto* const kernel = reinterpret_cast<const void*>(&histogram);
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config = config_of(dim3(8), dim3(128), &attribute, dim3(8));
  int clusters = -1, size = -1;
  SHOW(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
  check(clusters > 0, "clusters of 8 blocks fit");
  config.numAttrs = 0;
  SHOW(cudaOccupancyMaxPotentialClusterSize(&size, kernel, &config));
  std::printf("largest cluster %d\n", size);
  cudaFuncAttributes attributes{};
  NEED(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&cluster_sum)));
  std::printf("compiled cluster %d %d %d, set %d, other sizes %d\n", attributes.requiredClusterWidth,
              attributes.requiredClusterHeight, attributes.requiredClusterDepth, attributes.clusterDimMustBeSet,
              attributes.nonPortableClusterSizeAllowed);
}

}  // namespace

int main() {
  sums();
  histograms();
  shapes_and_errors();
  occupancy();
  return finish();
}
