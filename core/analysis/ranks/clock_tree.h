#pragma once

#include <cstddef>
#include <vector>

namespace warpwalk::analysis {

/// Another clock, by time x of one's own, in ns: x + zero + slope * x.
struct ClockLine {
  double zero = 0, slope = 0;

  double at(double x) const { return x + zero + slope * x; }
};

/// The clock of `outer` by the time of which `inner` computes the clock.
ClockLine composed(const ClockLine& outer, const ClockLine& inner);
ClockLine inverse(const ClockLine& line);

/// What two clocks show of each other.
struct ClockLink {
  std::size_t from = 0, to = 0;
  ClockLine line;          ///< the clock of `to` by the time of `from`
  std::size_t points = 0;  ///< from which it was found
};

/// Clocks that are linked, directly or through others, by the one of the lowest number.
struct ClockTree {
  std::vector<std::size_t> root;   ///< by clock
  std::vector<ClockLine> to_root;  ///< the clock of the root by its own time
  std::vector<std::size_t> used;   ///< indexes of the links that were used
};

/// Uses the links with the most points that connect all clocks (a maximum spanning forest; Kruskal's algorithm).
ClockTree clock_tree(std::size_t clocks, const std::vector<ClockLink>& links);

}  // namespace warpwalk::analysis
