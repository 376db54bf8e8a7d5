#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/blocks/launch_shape.h"
#include "core/gpu/device/device.h"
#include "core/gpu/device/sm_layout.h"

namespace warpwalk::gpu {

/// A launch with thread block clusters. The grid is a multiple of the cluster in each dimension.
struct ClusterLaunch {
  Shape grid{1, 1, 1}, cluster{1, 1, 1};
  std::int64_t blocks_per_sm = 1;  ///< maximum resident blocks (occupancy_of)
};

/// Returns how many clusters of this size the GPU holds at once. The blocks of a cluster run on different SMs of one
/// GPC, or of one TPC outside the full GPCs. Agrees with cudaOccupancyMaxActiveClusters on an H200.
std::int64_t max_active_clusters(const Device& device, std::int64_t blocks_per_cluster, std::int64_t blocks_per_sm);

/// Returns the SM of each block, by block number. The TPCs outside the full GPCs and then the GPCs get a cluster each
/// in turn; a block goes to the SM with the fewest blocks of its group, TPC after TPC. Assumed: the first GPC comes
/// first, as in a fresh process, and each wave is placed as the first one. Empty if no cluster fits.
std::vector<SmId> place_clusters(const Device& device, const ClusterLaunch& launch);

}  // namespace warpwalk::gpu
