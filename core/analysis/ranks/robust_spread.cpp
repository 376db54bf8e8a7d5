#include "core/analysis/ranks/robust_spread.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::analysis {
namespace {

std::int64_t middle_of_times(std::vector<std::int64_t>& times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

}  // namespace

RobustSpread robust_spread(std::vector<std::int64_t> times) {
  if (times.empty()) return {};
  // The standard deviation of normally distributed values is 1.4826 times their median distance to the median.
  constexpr double deviation_of_distance = 1.4826, deviations = 6;
  RobustSpread spread;
  spread.middle = middle_of_times(times);
  for (std::int64_t& time : times) time = std::abs(time - spread.middle);
  const auto distance = static_cast<double>(middle_of_times(times));
  constexpr double most = 0x1p60;
  spread.outlier = std::llround(std::min(most, deviations * deviation_of_distance * distance));
  return spread;
}

}  // namespace warpwalk::analysis
