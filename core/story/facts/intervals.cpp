#include "core/story/facts/intervals.h"

#include <algorithm>

namespace warpwalk::story {

std::vector<Interval> united_intervals(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& one) { return one.to <= one.from; });
  std::ranges::sort(intervals, {}, &Interval::from);
  std::vector<Interval> all;
  for (const Interval& one : intervals) {
    if (!all.empty() && one.from <= all.back().to)
      all.back().to = std::max(all.back().to, one.to);
    else
      all.push_back(one);
  }
  return all;
}

std::int64_t length_of_intervals(const std::vector<Interval>& intervals) {
  std::int64_t sum = 0;
  for (const Interval& one : intervals) sum += one.to - one.from;
  return sum;
}

std::int64_t covered_by(const std::vector<Interval>& united, std::int64_t from, std::int64_t to) {
  std::int64_t sum = 0;
  auto at = std::ranges::upper_bound(united, from, {}, &Interval::to);
  for (; at != united.end() && at->from < to; ++at) sum += std::min(at->to, to) - std::max(at->from, from);
  return sum;
}

}  // namespace warpwalk::story
