#pragma once

#include <cstdint>
#include <vector>

namespace warpwalk::story {

/// A stretch of time, ns.
struct Interval {
  std::int64_t from = 0, to = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The same times as intervals in order that neither overlap nor touch. Empty intervals are dropped.
std::vector<Interval> united_intervals(std::vector<Interval> intervals);

/// ns in all of them, which do not overlap.
std::int64_t length_of_intervals(const std::vector<Interval>& intervals);

/// ns that united intervals have in common with [from, to].
std::int64_t covered_by(const std::vector<Interval>& united, std::int64_t from, std::int64_t to);

}  // namespace warpwalk::story
