#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
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
  // Those of one stream are in order already, and sorting takes memory.
  if (!std::ranges::is_sorted(intervals, {}, &Part::from)) std::ranges::stable_sort(intervals, {}, &Part::from);
  auto last = intervals.begin();  // of the united ones, which take the places of their parts
  for (auto next = intervals.begin(); next != intervals.end(); ++next) {
    if (next == last) continue;
    if (next->from <= last->to)
      last->to = std::max(last->to, next->to);
    else
      *++last = *next;
  }
  if (!intervals.empty()) intervals.erase(std::next(last), intervals.end());
  return intervals;
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
