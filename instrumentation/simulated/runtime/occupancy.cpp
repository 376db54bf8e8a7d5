// Occupancy of kernels, as core/gpu/blocks computes it.
#include "core/gpu/blocks/occupancy.h"

#include <algorithm>

#include "core/gpu/blocks/cluster_placement.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/function.h"
#include "instrumentation/simulated/runtime/launch_attributes.h"
#include "instrumentation/simulated/runtime/registry.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

constexpr unsigned portable_cluster = 8, largest_cluster = 16;

gpu::BlockNeeds block_needs(const Kernel& kernel, std::int64_t threads, std::size_t dynamic_shared_bytes) {
  const KernelAttributes& attributes = kernel.attributes;
  gpu::BlockNeeds needs;
  needs.threads = threads;
  needs.registers = attributes.registers;
  needs.static_shared = static_cast<std::int64_t>(attributes.static_shared_bytes);
  needs.dynamic_shared = static_cast<std::int64_t>(dynamic_shared_bytes);
  needs.shared_optin = true;
  if (attributes.preferred_carveout >= 0) needs.carveout_percent = attributes.preferred_carveout;
  return needs;
}

/// Resident blocks per SM; 0 if the kernel cannot be launched like this.
int blocks_per_sm(const Gpu& gpu, const Kernel& kernel, std::int64_t threads, std::size_t dynamic_shared_bytes) {
  const KernelAttributes& attributes = kernel.attributes;
  if (threads > attributes.max_threads_per_block ||
      dynamic_shared_bytes > static_cast<std::size_t>(attributes.max_dynamic_shared_bytes))
    return 0;
  return static_cast<int>(
      gpu::occupancy_of(gpu.device, block_needs(kernel, threads, dynamic_shared_bytes)).blocks_per_sm);
}

Error max_blocks(const char* name, int* blocks, const void* function, int threads, std::size_t dynamic_shared_bytes,
                 unsigned flags) {
  return runtime_call(name, [&](Gpu& gpu) {
    constexpr unsigned no_caching_override = 1;
    if (blocks == nullptr || threads <= 0 || flags > no_caching_override) return Error::invalid_value;
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      if (const Error wrong = prepare(gpu, kernel); wrong != Error::success) return wrong;
      *blocks = blocks_per_sm(gpu, kernel, threads, dynamic_shared_bytes);
      return Error::success;
    });
  });
}

std::int64_t count(const std::array<std::uint32_t, 3>& extents) {
  return std::int64_t{extents[0]} * extents[1] * extents[2];
}

/// Runs `body` with the kernel, its resident blocks per SM and the blocks of a cluster that a configuration asks for.
template <class Body>
Error with_clusters(const char* name, const void* result, const void* function,
                    const LaunchConfiguration* configuration, Body body) {
  return runtime_call(name, [&](Gpu& gpu) {
    if (result == nullptr || configuration == nullptr) return Error::invalid_value;
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      if (const Error wrong = prepare(gpu, kernel); wrong != Error::success) return wrong;
      LaunchShape shape{configuration->grid.extents(), configuration->block.extents(), {}, 0, false};
      std::vector<const void*> events;
      if (const Error wrong = apply_attributes(*configuration, shape, events); wrong != Error::success) return wrong;
      const auto& cluster = shape.cluster[0] != 0 ? shape.cluster : kernel.attributes.required_cluster;
      const int blocks = blocks_per_sm(gpu, kernel, count(shape.block), configuration->dynamic_shared_bytes);
      return body(gpu, kernel, blocks, count(cluster));
    });
  });
}

}  // namespace

extern "C" {

Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                    std::size_t dynamic_shared_bytes) {
  return max_blocks("cudaOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, threads, dynamic_shared_bytes,
                    0);
}

Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                             std::size_t dynamic_shared_bytes, unsigned flags) {
  return max_blocks("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, function, threads,
                    dynamic_shared_bytes, flags);
}

Error cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks, int threads) {
  return runtime_call("cudaOccupancyAvailableDynamicSMemPerBlock", [&](Gpu& gpu) {
    if (bytes == nullptr || blocks <= 0 || threads <= 0) return Error::invalid_value;
    return with_kernel(gpu, function, [&](Kernel& kernel) {
      if (const Error wrong = prepare(gpu, kernel); wrong != Error::success) return wrong;
      const gpu::Device& device = gpu.device;
      const std::int64_t part = *device.shared_per_sm / blocks / *device.shared_allocation * *device.shared_allocation;
      const std::int64_t used = static_cast<std::int64_t>(kernel.attributes.static_shared_bytes);
      // As an H100 does it: the kilobyte that is reserved per block counts as available.
      const std::int64_t room = std::min(part, *device.shared_per_block_optin) - used;
      *bytes = static_cast<std::size_t>(std::max<std::int64_t>(room, 0));
      return Error::success;
    });
  });
}

Error cudaOccupancyMaxPotentialClusterSize(int* size, const void* function, const LaunchConfiguration* configuration) {
  return with_clusters("cudaOccupancyMaxPotentialClusterSize", size, function, configuration,
                       [&](Gpu& gpu, const Kernel& kernel, int blocks, std::int64_t) {
                         unsigned largest = kernel.attributes.nonportable_cluster ? largest_cluster : portable_cluster;
                         while (largest > 1 && gpu::max_active_clusters(gpu.device, largest, blocks) == 0) largest /= 2;
                         *size = static_cast<int>(largest);
                         return Error::success;
                       });
}

Error cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const LaunchConfiguration* configuration) {
  return with_clusters(
      "cudaOccupancyMaxActiveClusters", clusters, function, configuration,
      [&](Gpu& gpu, const Kernel& kernel, int blocks, std::int64_t cluster) {
        const unsigned largest = kernel.attributes.nonportable_cluster ? largest_cluster : portable_cluster;
        if (cluster <= 0 || cluster > largest) return Error::invalid_cluster_size;
        *clusters = blocks == 0 ? 0 : static_cast<int>(gpu::max_active_clusters(gpu.device, cluster, blocks));
        return Error::success;
      });
}

}  // extern "C"

}  // namespace warpwalk::simulated
