#pragma once

#include <cstdint>
#include <vector>

namespace warpwalk::analysis {

/// Where the middle of many times is, and how far from it a time is an outlier.
struct RobustSpread {
  std::int64_t middle = 0;   ///< the median
  std::int64_t outlier = 0;  ///< six standard deviations, from the median distance to the median (MAD x 1.4826)
};

/// A few outliers, however far off, change neither figure much: up to half of the times may be outliers. The distances
/// must fit 64 bits. All zero without times.
RobustSpread robust_spread(std::vector<std::int64_t> times);

}  // namespace warpwalk::analysis
