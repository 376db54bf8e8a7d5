#include "core/story/facts/words/time_column.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/story/elements/figure.h"

namespace warpwalk::story {

// The limits are those of time_text.
TimeColumn::TimeColumn(std::int64_t largest) {
  const auto size = static_cast<double>(largest);
  if (size < 999.5) return;
  unit_ = size < 9999.95e3 ? 1e3 : size < 9999.95e6 ? 1e6 : 1e9;
  name_ = unit_ == 1e3 ? "µs" : unit_ == 1e6 ? "ms" : "s";
}

std::string TimeColumn::text(std::int64_t ns) const {
  if (unit_ == 1) return fmt::format("{} ns", ns);
  const double tenths = std::round(10 * static_cast<double>(ns) / unit_);
  if (ns > 0 && tenths < 1) return fmt::format("< 0.1 {}", name_);
  const auto whole = static_cast<std::int64_t>(tenths / 10);
  return fmt::format("{}.{} {}", with_thousands(whole), static_cast<int>(tenths - 10 * static_cast<double>(whole)),
                     name_);
}

std::string TimeColumn::signed_text(std::int64_t ns) const {
  std::string size = text(std::abs(ns));
  if (size.starts_with('<')) return size;
  return (ns > 0 ? "+" : ns < 0 ? "−" : "") + size;
}

}  // namespace warpwalk::story
