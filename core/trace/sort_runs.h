#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace warpwalk::trace {

/// Sorts rows by `less`, a strict total order. Profilers write a few sorted runs, which are merged, and only where they
/// overlap; other rows are sorted by std::sort.
template <class Row, class Less>
void sort_runs(std::span<Row> rows, Less less) {
  std::vector<std::size_t> bounds = {0};
  constexpr std::size_t few = 8192;
  for (auto at = rows.begin(); at != rows.end() && bounds.size() <= few;) {
    at = std::is_sorted_until(at, rows.end(), less);
    bounds.push_back(static_cast<std::size_t>(at - rows.begin()));
  }
  if (bounds.back() != rows.size()) return std::sort(rows.begin(), rows.end(), less);
  const auto place = [&](std::size_t i) { return rows.begin() + static_cast<std::ptrdiff_t>(bounds[i]); };
  while (bounds.size() > 2) {
    std::vector<std::size_t> merged = {0};
    for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
      const std::size_t last = std::min(i + 2, bounds.size() - 1);
      merged.push_back(bounds[last]);
      if (last != i + 2) continue;
      const auto middle = place(i + 1);
      if (!less(*middle, *(middle - 1))) continue;
      std::inplace_merge(std::upper_bound(place(i), middle, *middle, less), middle,
                         std::lower_bound(middle, place(last), *(middle - 1), less), less);
    }
    bounds = std::move(merged);
  }
}

}  // namespace warpwalk::trace
