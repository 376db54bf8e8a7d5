#include "core/analysis/compare/rank_sum.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace warpwalk::analysis {

std::optional<double> rank_sum_p(std::span<const float> a, std::span<const float> b) {
  if (a.size() < fewest_to_compare || b.size() < fewest_to_compare) return {};
  std::vector<std::pair<float, bool>> all;  // the value, and whether it is of `a`
  all.reserve(a.size() + b.size());
  for (const float value : a) all.emplace_back(value, true);
  for (const float value : b) all.emplace_back(value, false);
  std::ranges::sort(all);
  const auto na = static_cast<double>(a.size()), nb = static_cast<double>(b.size()), n = na + nb;
  double ranks_of_a = 0, ties = 0;
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first;
    while (last < all.size() && all[last].first == all[first].first) ++last;
    const auto equal = static_cast<double>(last - first);
    const double rank = static_cast<double>(first + last + 1) / 2;  // the mean of ranks first + 1 to last
    for (std::size_t i = first; i < last; ++i)
      if (all[i].second) ranks_of_a += rank;
    ties += equal * equal * equal - equal;
    first = last;
  }
  const double u = ranks_of_a - na * (na + 1) / 2;
  const double variance = na * nb / 12 * (n + 1 - ties / (n * (n - 1)));
  if (!(variance > 0)) return 1;
  const double away = std::max(0.0, std::abs(u - na * nb / 2) - 0.5);
  return std::erfc(away / std::sqrt(variance) / std::numbers::sqrt2);
}

}  // namespace warpwalk::analysis
