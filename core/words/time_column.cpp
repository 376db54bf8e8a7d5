#include "core/words/time_column.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/base/quantity_text.h"

namespace warpwalk::words {
namespace {

// Three digits of a number that is at least 0.1, and all digits before the point of a larger one.
std::string three_digits(double value) {
  if (value < 0.9995) return base::with_marks(fmt::format("{:.3f}", value));
  if (value < 9.995) return base::with_marks(fmt::format("{:.2f}", value));
  const double tenths = std::round(10 * value);
  const auto whole = static_cast<std::int64_t>(tenths / 10);
  const int tenth = static_cast<int>(tenths - 10 * static_cast<double>(whole));
  return base::with_thousands(whole) + base::with_marks(fmt::format(".{}", tenth));
}

}  // namespace

// The limits are those of time_text.
TimeColumn::TimeColumn(std::int64_t largest) {
  const auto size = static_cast<double>(largest);
  if (size < 999.5) return;
  unit_ = size < 9999.95e3 ? 1e3 : size < 9999.95e6 ? 1e6 : 1e9;
  name_ = unit_ == 1e3 ? "µs" : unit_ == 1e6 ? "ms" : "s";
}

std::string TimeColumn::text(std::int64_t ns) const {
  if (unit_ == 1) return fmt::format("{} ns", ns);
  if (ns == 0) return base::with_marks("0.0 ") + std::string(name_);
  const double value = static_cast<double>(ns) / unit_;
  if (value < 0.0995) {
    TimeColumn own(ns);
    if (own.unit_ > 1 && static_cast<double>(ns) >= 999.5 * own.unit_)
      own = TimeColumn(1000 * ns);  // 3.22 ms, not 3,217 µs
    return own.text(ns);
  }
  return fmt::format("{} {}", three_digits(value), name_);
}

std::string TimeColumn::signed_text(std::int64_t ns) const {
  return (ns > 0 ? "+" : ns < 0 ? "−" : "") + text(std::abs(ns));
}

}  // namespace warpwalk::words
