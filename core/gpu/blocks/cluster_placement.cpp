#include "core/gpu/blocks/cluster_placement.h"

#include <algorithm>

#include "core/gpu/device/sm_layout.h"

namespace warpwalk::gpu {
namespace {

/// The sets of SMs that can hold a cluster.
std::vector<std::vector<SmId>> groups_of(const Device& device) {
  SmLayout layout = layout_of(device);
  std::vector<std::vector<SmId>> groups;
  for (SmLayout::SmallTpc& tpc : layout.small_tpcs) groups.push_back(std::move(tpc.sms));
  for (std::vector<SmId>& gpc : layout.gpcs) groups.push_back(std::move(gpc));
  return groups;
}

std::int64_t clusters_in(const std::vector<SmId>& group, std::int64_t blocks_per_cluster, std::int64_t blocks_per_sm) {
  const auto sms = static_cast<std::int64_t>(group.size());
  return sms < blocks_per_cluster ? 0 : sms * blocks_per_sm / blocks_per_cluster;
}

}  // namespace

std::int64_t max_active_clusters(const Device& device, std::int64_t blocks_per_cluster, std::int64_t blocks_per_sm) {
  std::int64_t sum = 0;
  for (const std::vector<SmId>& group : groups_of(device)) sum += clusters_in(group, blocks_per_cluster, blocks_per_sm);
  return sum;
}

std::vector<SmId> place_clusters(const Device& device, const ClusterLaunch& launch) {
  const std::int64_t size = count_of(launch.cluster);
  const std::vector<std::vector<SmId>> groups = groups_of(device);
  // The SMs of each cluster of a full wave, by cluster and rank.
  std::vector<std::vector<SmId>> wave;
  std::vector<std::int64_t> used(static_cast<std::size_t>(*device.sm_count));
  std::vector<std::int64_t> left;  // clusters that still fit, by group
  for (const std::vector<SmId>& group : groups) left.push_back(clusters_in(group, size, launch.blocks_per_sm));
  // The SMs that a group gives its next cluster: those with the fewest blocks.
  const auto next_sms = [&](std::size_t group) {
    std::vector<SmId> sms = groups[group];
    std::ranges::stable_sort(sms, {}, [&](SmId sm) { return used[sm]; });
    sms.resize(static_cast<std::size_t>(size));
    return sms;
  };
  for (bool placed = true; placed;) {
    placed = false;
    // In a round, only the groups with the emptiest SMs get a cluster.
    std::int64_t emptiest = launch.blocks_per_sm;
    for (std::size_t group = 0; group < groups.size(); ++group)
      if (left[group] > 0) emptiest = std::min(emptiest, used[next_sms(group).back()]);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      if (left[group] == 0) continue;
      std::vector<SmId> sms = next_sms(group);
      if (used[sms.back()] > emptiest) continue;
      for (const SmId sm : sms) ++used[sm];
      --left[group];
      wave.push_back(std::move(sms));
      placed = true;
    }
  }
  if (wave.empty()) return {};
  Shape clusters{};
  for (std::size_t i = 0; i < 3; ++i) clusters[i] = launch.grid[i] / launch.cluster[i];
  std::vector<SmId> placement(static_cast<std::size_t>(count_of(launch.grid)));
  for (std::int64_t cluster = 0; cluster < count_of(clusters); ++cluster) {
    const Shape at = coordinates_of(cluster, clusters);
    for (std::int64_t rank = 0; rank < size; ++rank) {
      const Shape within = coordinates_of(rank, launch.cluster);
      std::int64_t block = 0;
      for (std::size_t i = 3; i-- > 0;) block = block * launch.grid[i] + at[i] * launch.cluster[i] + within[i];
      placement[static_cast<std::size_t>(block)] =
          wave[static_cast<std::size_t>(cluster) % wave.size()][static_cast<std::size_t>(rank)];
    }
  }
  return placement;
}

}  // namespace warpwalk::gpu
