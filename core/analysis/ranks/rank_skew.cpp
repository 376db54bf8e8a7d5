#include "core/analysis/ranks/rank_skew.h"

#include <algorithm>
#include <vector>

namespace warpwalk::analysis {

std::size_t shared_collectives(const RankReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(report.collectives, is_shared));
}

std::int64_t skew_of(const MatchedCollective& collective) {
  if (!has_skew(collective)) return 0;
  std::int64_t first = collective.members.front().arrival;
  for (const Member& member : collective.members) first = std::min(first, member.arrival);
  return collective.last_arrival - first;
}

std::int64_t median_skew(const RankReport& report) {
  std::vector<std::int64_t> skews;
  for (const MatchedCollective& one : report.collectives)
    if (has_skew(one)) skews.push_back(skew_of(one));
  if (skews.empty()) return 0;
  const auto middle = skews.begin() + static_cast<std::ptrdiff_t>((skews.size() - 1) / 2);
  std::ranges::nth_element(skews, middle);
  return *middle;
}

}  // namespace warpwalk::analysis
