#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/ranks/rank_report.h"

namespace warpwalk::analysis {

/// The end of a collective in one rank: x is ns since the rank's origin.
struct AnchorEnd {
  std::size_t rank = 0;
  double x = 0;
};

/// A collective that joins all, whose ends are one moment on all clocks.
struct ClockAnchor {
  std::size_t first = 0, last = 0;  ///< in ClockAnchors::ends
};

/// The collectives of a process group. Ends differ by a share of the transfer, and always in the same order of ranks,
/// which no number of collectives averages away. So all of them show drift, but only the shortest ones an offset.
struct AnchorGroup {
  std::vector<ClockAnchor> all, precise;
  double error = 0;  ///< ns, by which the ends of the precise ones may differ on one clock, besides noise
};

/// What clocks are found from: ends of matched collectives, of each group a sample.
struct ClockAnchors {
  std::vector<std::int64_t> origins;  ///< by rank: ns of its clock. Times since 1970 do not fit the 53 bits of a double
  std::vector<AnchorEnd> ends;
  std::vector<AnchorGroup> groups;  ///< those with anchors

  double x(const RankReport& report, const Member& member) const;
};

ClockAnchors clock_anchors(const RankReport& report);

}  // namespace warpwalk::analysis
