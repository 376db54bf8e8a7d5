#include "core/story/pictures/heat.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::story {

double HeatRow::mean() const {
  double sum = 0;
  for (const float share : shares) sum += std::max(0.0f, share);
  return shares.empty() ? 0 : sum / static_cast<double>(shares.size());
}

std::string HeatGroup::summary() const {
  double least = 1, most = 0;
  for (const HeatRow& row : rows) {
    least = std::min(least, row.mean());
    most = std::max(most, row.mean());
  }
  const std::string low = HeatPicture::share_text(least), high = HeatPicture::share_text(most);
  const std::string units =
      rows.size() == 1 ? rows.front().label : fmt::format("{} ... {}", rows.front().label, rows.back().label);
  return low == high ? fmt::format("{}: {}", units, low) : fmt::format("{}: {} - {}", units, low, high);
}

std::string HeatPicture::share_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace warpwalk::story
