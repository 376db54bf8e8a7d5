#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpwalk::analysis {

/// A stretch of time, ns. The functions below take it or a type derived from it.
struct Interval {
  std::int64_t from = 0, to = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The same times as intervals in order that neither overlap nor touch; each keeps what the first of its parts holds
/// besides. Empty intervals are dropped.
template <class Part>
std::vector<Part> united_intervals(std::vector<Part> intervals) {
  std::erase_if(intervals, [](const Part& one) { return one.to <= one.from; });
  std::ranges::stable_sort(intervals, {}, &Part::from);
  std::vector<Part> all;
  for (const Part& one : intervals) {
    if (!all.empty() && one.from <= all.back().to)
      all.back().to = std::max(all.back().to, one.to);
    else
      all.push_back(one);
  }
  return all;
}

/// ns in all of them, which do not overlap.
template <class Part>
std::int64_t length_of_intervals(const std::vector<Part>& intervals) {
  std::int64_t sum = 0;
  for (const Part& one : intervals) sum += one.to - one.from;
  return sum;
}

/// ns that united intervals have in common with [from, to].
template <class Part>
std::int64_t covered_by(const std::vector<Part>& united, std::int64_t from, std::int64_t to) {
  std::int64_t sum = 0;
  auto at = std::ranges::upper_bound(united, from, {}, &Part::to);
  for (; at != united.end() && at->from < to; ++at) sum += std::min(at->to, to) - std::max(at->from, from);
  return sum;
}

}  // namespace warpwalk::analysis
