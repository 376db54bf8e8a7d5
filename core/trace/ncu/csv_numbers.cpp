#include "core/trace/ncu/csv_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/trace/json/numbers.h"

namespace warpwalk::trace::ncu {
namespace {

constexpr std::size_t digits_of_group = 3;

// Without what other locales have between groups of digits: spaces, also those that do not break, and apostrophes.
std::string without_spaces(std::string_view cell) {
  constexpr std::array<std::string_view, 5> between = {" ", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99"};
  std::string out;
  while (!cell.empty()) {
    const auto found =
        std::ranges::find_if(between, [&](std::string_view one) { return cell.starts_with(one); });
    const std::size_t length = found == between.end() ? 1 : found->size();
    if (found == between.end()) out.push_back(cell.front());
    cell.remove_prefix(length);
  }
  return out;
}

// Whether each separator stands before exactly three digits.
bool are_groups(std::string_view whole, char separator) {
  std::size_t at = whole.find(separator);
  if (at == std::string_view::npos) return true;
  while (at != std::string_view::npos) {
    const std::size_t next = whole.find(separator, at + 1);
    const std::size_t digits = std::min(next, whole.size()) - at - 1;
    if (digits != digits_of_group) return false;
    at = next;
  }
  return true;
}

}  // namespace

void NumberStyle::learn(std::string_view cell) {
  if (cell.starts_with('-')) cell.remove_prefix(1);
  if (cell.empty() || !is_digit(cell.front()) || cell.find_first_not_of("0123456789.,") != std::string_view::npos)
    return;
  const auto points = std::ranges::count(cell, '.'), commas = std::ranges::count(cell, ',');
  if (points + commas == 0) return;
  const std::size_t last = cell.find_last_of(".,");
  const bool point_is_last = cell[last] == '.';
  bool last_is_decimal = true;
  if (points == 0 || commas == 0) {
    const bool single = points + commas == 1;
    const bool may_be_group = cell.size() - last - 1 == digits_of_group && last <= digits_of_group && cell[0] != '0';
    if (single && may_be_group) return;
    last_is_decimal = single;
  }
  ++(point_is_last == last_is_decimal ? points_ : commas_);
}

std::optional<double> NumberStyle::number(std::string_view cell) const {
  if (const std::size_t instances = cell.find(" ("); instances != std::string_view::npos && instances > 0)
    cell = cell.substr(0, instances);
  std::string text = without_spaces(cell);
  const char point = decimal();
  const char separator = point == '.' ? ',' : '.';
  const std::size_t end = std::min(text.find_first_of(point == '.' ? ".eE" : ",eE"), text.size());
  if (!are_groups(std::string_view(text).substr(0, end), separator)) return {};
  std::erase(text, separator);
  std::ranges::replace(text, ',', '.');
  // No metric is as large; products of two stay finite.
  constexpr double largest = 1e30;
  const auto value = parse_real(text);
  return value && std::abs(*value) < largest ? value : std::nullopt;
}

double unit_factor(std::string_view unit) {
  struct UnitFactor {
    std::string_view unit;
    double factor;
  };
  constexpr std::array times = {UnitFactor{"us", 1e3},      UnitFactor{"usecond", 1e3}, UnitFactor{"ms", 1e6},
                                UnitFactor{"msecond", 1e6}, UnitFactor{"s", 1e9},       UnitFactor{"second", 1e9}};
  constexpr std::array scaled = {std::string_view("byte"), std::string_view("hz"), std::string_view("bit")};
  // Of a rate: "cycle/nsecond" is 1e9 cycles per second.
  constexpr std::array rates = {UnitFactor{"nsecond", 1e9}, UnitFactor{"usecond", 1e6}, UnitFactor{"msecond", 1e3},
                                UnitFactor{"ns", 1e9},      UnitFactor{"us", 1e6},      UnitFactor{"ms", 1e3}};
  const std::size_t slash = unit.find('/');
  const std::string_view counted = unit.substr(0, slash);
  double factor = 1;
  if (slash != std::string_view::npos) {
    const auto rate = std::ranges::find(rates, unit.substr(slash + 1), &UnitFactor::unit);
    if (rate != rates.end()) factor = rate->factor;
  } else if (const auto time = std::ranges::find(times, counted, &UnitFactor::unit); time != times.end()) {
    return time->factor;
  }
  constexpr std::string_view prefixes = "KMGTP";
  const std::size_t prefix = counted.empty() ? std::string_view::npos : prefixes.find(counted.front());
  if (prefix == std::string_view::npos || std::ranges::find(scaled, counted.substr(1)) == scaled.end()) return factor;
  for (std::size_t i = 0; i <= prefix; ++i) factor *= 1000;
  return factor;
}

}  // namespace warpwalk::trace::ncu
