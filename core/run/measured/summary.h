#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/run/launch/beside_measured.h"

namespace warpwalk::run {

/// How one figure compares over several launches.
struct FigureSummary {
  std::string name;
  std::size_t launches = 0;  ///< that have it
  std::size_t equal = 0;     ///< in which it is the same, measured and simulated
  std::size_t ratios = 0;    ///< in which it was not measured as 0
  double median_ratio = 0;   ///< of simulated / measured; of an even number, the smaller one in the middle
  double least_ratio = 0, greatest_ratio = 0;
};

/// Sums up the figures of launches: the one whose ratio is furthest from 1 in some launch comes first. Reasons for
/// stalls that are small in all launches are left out.
std::vector<FigureSummary> summarize(std::span<const BesideMeasured> launches);

}  // namespace warpwalk::run
