#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_report.h"

namespace warpwalk::analysis {

/// One way in which a run is parallel: process groups of equal size, of which each rank is in one.
struct RankAxis {
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  std::string name;             ///< "tp", "dp", "pp"; of groups without such names "stride 8"
  std::size_t size = 0;         ///< ranks of a group
  std::vector<std::size_t> of;  ///< by index of the rank: its place in its group, or `nowhere`
};

/// The axes of the run's process groups, the largest first. Without the group of all ranks, and each division of the
/// ranks once, whatever its names.
std::vector<RankAxis> axes_of(const RankReport& report);

/// How late each rank is at its collectives, ns after the median arrival of their members (before it: 0); the mean. -1
/// for a rank whose arrivals cannot be compared.
std::vector<std::int64_t> mean_lateness(const RankReport& report);

}  // namespace warpwalk::analysis
