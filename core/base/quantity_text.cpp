#include "core/base/quantity_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace warpwalk::base {
namespace {

const NumberMarks english;
// An argument of all functions below in effect, but one that would go through every function that makes a part of a
// stage.
thread_local const NumberMarks* current_marks = &english;

std::string separated(std::string digits) {
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) digits.replace(point, 1, current_marks->decimal);
  for (std::size_t i = point == std::string::npos ? digits.size() : point; i > 3;) {
    i -= 3;
    digits.insert(i, current_marks->group);
  }
  return digits;
}

}  // namespace

WithNumberMarks::WithNumberMarks(const NumberMarks& marks) : marks_(marks), outer_(current_marks) {
  current_marks = &marks_;
}
WithNumberMarks::~WithNumberMarks() { current_marks = outer_; }

std::string with_marks(std::string numbers) {
  const std::string& mark = current_marks->decimal;
  for (std::size_t at = numbers.find('.'); at != std::string::npos; at = numbers.find('.', at + mark.size()))
    numbers.replace(at, 1, mark);
  return numbers;
}

std::string decimal_text(double value, int decimals) {
  const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !zero ? "−" : "") + separated(digits);
}

std::string with_thousands(std::int64_t value) {
  return fmt::format("{}{}", value < 0 ? "−" : "",
                     separated(fmt::format(
                         "{}", value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value))));
}

// Each limit is the value at which rounding would show 1,000 of the smaller unit.
std::string time_text(double nanoseconds) {
  const double size = std::abs(nanoseconds);
  if (size < 999.5) return decimal_text(nanoseconds, 0) + " ns";
  if (size < 9999.95e3) return decimal_text(nanoseconds / 1e3, 1) + " µs";
  if (size < 9999.95e6) return decimal_text(nanoseconds / 1e6, 1) + " ms";
  return decimal_text(nanoseconds / 1e9, 2) + " s";
}

// As in time_text, each limit is the value at which rounding would show 1,024 of the smaller unit. A size that is whole
// in its unit has no decimal, so "2 KiB" is exact and "2.0 KiB" is rounded.
std::string bytes_text(double bytes) {
  constexpr std::string_view units[] = {"KiB", "MiB", "GiB", "TiB"};
  if (std::abs(bytes) < 1023.5) return decimal_text(bytes, 0) + " B";
  double size = bytes / 1024;
  std::size_t unit = 0;
  for (; unit + 1 < std::size(units) && std::abs(size) >= 1023.95; ++unit) size /= 1024;
  return fmt::format("{} {}", decimal_text(size, std::trunc(size) == size ? 0 : 1), units[unit]);
}

std::string shared_bytes_text(std::int64_t bytes) {
  if (bytes >= 1024 && bytes % 1024 == 0) return with_thousands(bytes / 1024) + " KiB";
  return with_thousands(bytes) + " B";
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  const double share = 100 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
  return with_marks(share > 0 && share < 0.05 ? "< 0.1 %" : fmt::format("{:.1f} %", share));
}

}  // namespace warpwalk::base
