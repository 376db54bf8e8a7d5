#include "core/words/amount_text.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"

namespace warpwalk::words {
namespace {

constexpr std::array<std::pair<double, std::string_view>, 7> amount_units = {
    {{1e18, "18"}, {1e15, "15"}, {1e12, "12"}, {1e9, "9"}, {1e6, "6"}, {1e3, "3"}, {1, "0"}}};

}  // namespace

std::string amount_text(const Narration& narration, std::string_view section, double amount) {
  // A number that would be rounded to 1,000 gets the next prefix.
  for (const auto& [size, key] : amount_units) {
    if (amount < 0.9995 * size && size > 1) continue;
    const double number = amount / size;
    const std::string text =
        number >= 99.95 || size == 1 ? fmt::format("{:.0f}", number) : base::with_marks(fmt::format("{:.3g}", number));
    return narration.text(section, key, {{"n", text}});
  }
  return {};
}

RateColumn::RateColumn(double largest) {
  for (const auto& [size, key] : amount_units)
    if (largest >= 10 * size && size <= 1e12) {
      size_ = size;
      unit_ = key;
      return;
    }
}

std::string RateColumn::text(double rate) const {
  const double tenths = std::round(10 * rate / size_);
  if (rate > 0 && tenths < 1) return base::with_marks("< 0.1");
  if (tenths >= 1e15)
    return base::with_marks(fmt::format("{:.3g}", rate / size_));  // no GPU is as fast; the file is damaged
  const auto whole = static_cast<std::int64_t>(tenths / 10);
  const int tenth = static_cast<int>(tenths - 10 * static_cast<double>(whole));
  return base::with_thousands(whole) + base::with_marks(fmt::format(".{}", tenth));
}

}  // namespace warpwalk::words
