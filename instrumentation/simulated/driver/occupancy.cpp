// How many blocks of a kernel an SM holds, and what follows from it.
#include "core/gpu/blocks/occupancy.h"

#include <algorithm>

#include "core/gpu/blocks/cluster_placement.h"
#include "instrumentation/simulated/device/device_attributes.h"
#include "instrumentation/simulated/driver/call.h"
#include "instrumentation/simulated/driver/launch_attributes.h"

namespace warpwalk::simulated {
namespace {

/// Largest clusters: those that every GPU with clusters allows, and those that a kernel can opt in to.
constexpr std::uint32_t portable_cluster = 8, largest_cluster = 16;

gpu::BlockNeeds block_needs(Kernel& kernel, std::int64_t threads, std::size_t dynamic_shared) {
  static_cast<void>(kernel.program());  // PTX has registers and shared memory only when it is ready to run
  const KernelAttributes& attributes = kernel.attributes;
  gpu::BlockNeeds needs;
  needs.threads = threads;
  needs.registers = attributes.registers;
  needs.static_shared = static_cast<std::int64_t>(attributes.static_shared_bytes);
  // More than the needs of any block: such a block does not fit anyway.
  constexpr std::size_t far_too_much = std::size_t{1} << 24;
  needs.dynamic_shared = static_cast<std::int64_t>(std::min(dynamic_shared, far_too_much));
  needs.shared_optin = true;
  if (attributes.preferred_carveout >= 0) needs.carveout_percent = attributes.preferred_carveout;
  return needs;
}

int blocks_per_sm(const gpu::Device& device, Kernel& kernel, int threads, std::size_t dynamic_shared) {
  if (threads > kernel.attributes.max_threads_per_block) return 0;
  return static_cast<int>(gpu::occupancy_of(device, block_needs(kernel, threads, dynamic_shared)).blocks_per_sm);
}

CUresult max_blocks(const char* name, int* blocks, CUfunction function, int threads, std::size_t dynamic_shared,
                    unsigned flags) {
  return call_in_context(name, [&](Gpu& gpu) {
    if (blocks == nullptr || threads <= 0 || flags > 1) return Error::invalid_value;
    if (function == nullptr) return Error::invalid_resource_handle;
    *blocks = blocks_per_sm(gpu.device, *function, threads, dynamic_shared);
    return Error::success;
  });
}

/// The largest block with which the most threads are resident, and the blocks that fill the GPU with it.
CUresult best_block(const char* name, int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_for,
                    std::size_t dynamic_shared, int limit, unsigned flags) {
  return call_in_context(name, [&](Gpu& gpu) {
    if (grid == nullptr || block == nullptr || limit < 0 || flags > 1) return Error::invalid_value;
    if (function == nullptr) return Error::invalid_resource_handle;
    int most = std::min(static_cast<int>(*gpu.device.threads_per_block), function->attributes.max_threads_per_block);
    if (limit > 0) most = std::min(most, limit);
    const int warp = static_cast<int>(*gpu.device.threads_per_warp);
    int best_threads = 0, best_blocks = 0;
    // Whole warps, and the limit itself.
    for (int rounded = (most + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
      const int threads = std::min(rounded, most);
      const std::size_t shared = shared_for == nullptr ? dynamic_shared : shared_for(threads);
      const int blocks = blocks_per_sm(gpu.device, *function, threads, shared);
      if (blocks * threads <= best_blocks * best_threads) continue;
      best_threads = threads;
      best_blocks = blocks;
    }
    *block = best_threads;
    *grid = best_blocks * static_cast<int>(*gpu.device.sm_count);
    return Error::success;
  });
}

/// Dynamic shared memory with which this many blocks fit on an SM.
std::int64_t shared_for_blocks(const gpu::Device& device, const Kernel& kernel, int blocks) {
  const std::int64_t step = *device.shared_allocation;
  const std::int64_t share = *device.shared_per_sm / blocks / step * step;
  const auto fixed = static_cast<std::int64_t>(kernel.attributes.static_shared_bytes);
  const std::int64_t most = *device.shared_per_block_optin - fixed;
  // As an H100 does it: the kilobyte that is reserved per block counts as available.
  return std::clamp<std::int64_t>(share - fixed, 0, std::max<std::int64_t>(most, 0));
}

bool has_clusters(const gpu::Device& device) {
  constexpr int cluster_launch = 120;
  return device_attribute(device, cluster_launch).value_or(0) != 0;
}

/// Calls the body of a function about clusters with the plan, the threads and the resident blocks of a launch.
template <class Body>
CUresult call_for_clusters(const char* name, int* result, CUfunction function, const CUlaunchConfig* config,
                           const Body& body) {
  return call_in_context(name, [&](Gpu& gpu) {
    if (result == nullptr || config == nullptr) return Error::invalid_value;
    if (function == nullptr) return Error::invalid_resource_handle;
    if (!has_clusters(gpu.device)) return not_supported(gpu, name);
    LaunchPlan plan;
    if (const Error wrong = read_config(gpu, *config, plan); wrong != Error::success) return wrong;
    const std::uint64_t threads = std::uint64_t{config->block[0]} * config->block[1] * config->block[2];
    if (threads == 0 || threads > static_cast<std::uint64_t>(*gpu.device.threads_per_block))
      return Error::invalid_value;
    const int blocks = blocks_per_sm(gpu.device, *function, static_cast<int>(threads), config->shared_bytes);
    return body(gpu, plan, blocks);
  });
}

std::uint32_t largest_cluster_of(const Kernel& kernel) {
  return kernel.attributes.nonportable_cluster ? largest_cluster : portable_cluster;
}

}  // namespace

extern "C" {

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     std::size_t dynamic_shared) {
  return max_blocks("cuOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, threads, dynamic_shared, 0);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              std::size_t dynamic_shared, unsigned flags) {
  return max_blocks("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, function, threads, dynamic_shared,
                    flags);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_for,
                                          std::size_t dynamic_shared, int limit) {
  return best_block("cuOccupancyMaxPotentialBlockSize", grid, block, function, shared_for, dynamic_shared, limit, 0);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_for, std::size_t dynamic_shared, int limit,
                                                   unsigned flags) {
  return best_block("cuOccupancyMaxPotentialBlockSizeWithFlags", grid, block, function, shared_for, dynamic_shared,
                    limit, flags);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction function, int blocks, int threads) {
  return call_in_context("cuOccupancyAvailableDynamicSMemPerBlock", [&](Gpu& gpu) {
    if (bytes == nullptr || blocks <= 0 || threads <= 0) return Error::invalid_value;
    if (function == nullptr) return Error::invalid_resource_handle;
    if (blocks_per_sm(gpu.device, *function, threads, 0) < blocks) return Error::invalid_value;
    *bytes = static_cast<std::size_t>(shared_for_blocks(gpu.device, *function, blocks));
    return Error::success;
  });
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function, const CUlaunchConfig* config) {
  return call_for_clusters(
      "cuOccupancyMaxActiveClusters", clusters, function, config, [&](Gpu& gpu, const LaunchPlan& plan, int blocks) {
        auto shape = plan.shape.cluster;
        if (shape[0] == 0) shape = function->attributes.required_cluster;
        const std::uint64_t size = std::max<std::uint64_t>(std::uint64_t{shape[0]} * shape[1] * shape[2], 1);
        if (size > largest_cluster_of(*function)) return Error::invalid_cluster_size;
        *clusters = static_cast<int>(gpu::max_active_clusters(gpu.device, static_cast<std::int64_t>(size), blocks));
        return Error::success;
      });
}

CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config) {
  return call_for_clusters("cuOccupancyMaxPotentialClusterSize", size, function, config,
                           [&](Gpu& gpu, const LaunchPlan&, int blocks) {
                             auto tried = static_cast<std::int64_t>(largest_cluster_of(*function));
                             while (tried > 1 && gpu::max_active_clusters(gpu.device, tried, blocks) == 0) tried /= 2;
                             *size = static_cast<int>(tried);
                             return Error::success;
                           });
}

}  // extern "C"
}  // namespace warpwalk::simulated
