#include "app/pages/timeline/step_curve.h"

#include <algorithm>

namespace warpwalk::pages {
namespace {

constexpr std::size_t radix = 16;

void widen(StepCurve::Extremes& extremes, const StepCurve::Extremes& other) {
  extremes.low = std::min(extremes.low, other.low);
  extremes.high = std::max(extremes.high, other.high);
}

}  // namespace

void StepCurve::add(std::int64_t time, std::int64_t value) {
  times_.push_back(time);
  levels_.front().push_back({value, value});
}

void StepCurve::finish() {
  while (levels_.back().size() > radix) {
    const std::vector<Extremes>& below = levels_.back();
    std::vector<Extremes> level;
    level.reserve((below.size() + radix - 1) / radix);
    for (std::size_t i = 0; i < below.size(); ++i)
      if (i % radix == 0)
        level.push_back(below[i]);
      else
        widen(level.back(), below[i]);
    levels_.push_back(std::move(level));
  }
}

std::optional<std::int64_t> StepCurve::at(std::int64_t time) const {
  const auto next = std::ranges::upper_bound(times_, time) - times_.begin();
  if (next == 0) return {};
  return levels_.front()[static_cast<std::size_t>(next) - 1].low;
}

std::optional<StepCurve::Extremes> StepCurve::within(std::int64_t from, std::int64_t to) const {
  auto first = static_cast<std::size_t>(std::ranges::upper_bound(times_, from) - times_.begin());
  const auto last = static_cast<std::size_t>(std::ranges::lower_bound(times_, to) - times_.begin());
  if (first > 0) --first;  // the value that holds at `from`
  if (first >= last) return {};
  return extremes_of(first, last);
}

StepCurve::Extremes StepCurve::extremes_of(std::size_t first, std::size_t last) const {
  Extremes found = {INT64_MAX, INT64_MIN};
  for (std::size_t level = 0;; ++level) {
    const std::vector<Extremes>& rows = levels_[level];
    if (level + 1 == levels_.size() || last - first < 2 * radix) {
      for (; first < last; ++first) widen(found, rows[first]);
      return found;
    }
    for (; first % radix != 0; ++first) widen(found, rows[first]);
    for (; last % radix != 0; --last) widen(found, rows[last - 1]);
    first /= radix;
    last /= radix;
  }
}

}  // namespace warpwalk::pages
