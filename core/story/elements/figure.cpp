#include "core/story/elements/figure.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::story {
namespace {

std::string separated(std::string digits) {
  const std::size_t point = digits.find('.');
  for (std::size_t i = point == std::string::npos ? digits.size() : point; i > 3;) {
    i -= 3;
    digits.insert(i, ",");
  }
  return digits;
}

// Fixed decimals with separated thousands.
std::string decimal(double value, int decimals) {
  const std::string digits = separated(fmt::format("{:.{}f}", std::abs(value), decimals));
  const bool zero = digits.find_first_not_of("0.,") == std::string::npos;
  return (value < 0 && !zero ? "−" : "") + digits;
}

}  // namespace

Figure::Figure(double value, Unit unit, Origin origin, std::string words, std::string formula)
    : value_(value), unit_(unit), origin_(origin), words_(std::move(words)), formula_(std::move(formula)) {}

Figure Figure::recorded(double value, Unit unit, Origin origin) { return {value, unit, origin, {}, {}}; }
Figure Figure::recorded(std::string text, Origin origin) { return {0, Unit::name, origin, std::move(text), {}}; }
Figure Figure::derived(double value, Unit unit, std::string formula) {
  return {value, unit, Origin::derived, {}, std::move(formula)};
}
Figure Figure::derived(std::string text, std::string formula) {
  return {0, Unit::name, Origin::derived, std::move(text), std::move(formula)};
}
Figure Figure::constant(double value, Unit unit, Origin origin, std::string source) {
  Figure figure(value, unit, origin, {}, std::move(source));
  figure.constant_ = true;
  return figure;
}
Figure Figure::explained(std::string text) { return {0, Unit::name, Origin::explained, std::move(text), {}}; }

std::string Figure::text() const {
  switch (unit_) {
    case Unit::nanoseconds: return time_text(value_);
    case Unit::bytes: return bytes_text(value_);
    case Unit::count: return with_thousands(static_cast<std::int64_t>(std::llround(value_)));
    case Unit::percent: return value_ > 0 && value_ < 0.05 ? "< 0.1 %" : decimal(value_, 1) + " %";
    case Unit::gigabytes_per_second: return decimal(value_, 1) + " GB/s";
    case Unit::name: break;
  }
  return words_;
}

std::string with_thousands(std::int64_t value) {
  return fmt::format("{}{}", value < 0 ? "−" : "",
                     separated(fmt::format(
                         "{}", value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value))));
}

// Each limit is the value at which rounding would show 1,000 of the smaller unit.
std::string time_text(double nanoseconds) {
  const double size = std::abs(nanoseconds);
  if (size < 999.5) return decimal(nanoseconds, 0) + " ns";
  if (size < 9999.95e3) return decimal(nanoseconds / 1e3, 1) + " µs";
  if (size < 9999.95e6) return decimal(nanoseconds / 1e6, 1) + " ms";
  return decimal(nanoseconds / 1e9, 2) + " s";
}

std::string shared_bytes_text(std::int64_t bytes) {
  if (bytes >= 1024 && bytes % 1024 == 0) return with_thousands(bytes / 1024) + " KiB";
  return with_thousands(bytes) + " B";
}

std::string bytes_text(double bytes) {
  const double size = std::abs(bytes);
  if (size < 999.5) return decimal(bytes, 0) + " B";
  if (size < 999.95e3) return decimal(bytes / 1e3, 1) + " kB";
  if (size < 999.95e6) return decimal(bytes / 1e6, 1) + " MB";
  return decimal(bytes / 1e9, 1) + " GB";
}

}  // namespace warpwalk::story
