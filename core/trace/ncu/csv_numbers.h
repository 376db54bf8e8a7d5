#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace warpwalk::trace::ncu {

/// How the numbers of a CSV file are written. ncu writes them as the locale says: "1,234.5", "1.234,5", "1 234,5".
/// A single "1,234" can be both, so that the other numbers of the file decide; without any, it is English.
class NumberStyle {
 public:
  /// Notes what a cell says about the style.
  void learn(std::string_view cell);
  char decimal() const { return commas_ > points_ ? ',' : '.'; }

  /// The number in a cell; nullopt if there is none ("no data", "n/a", a text). Of a metric with instances,
  /// "12 (5; 7)", the first one.
  std::optional<double> number(std::string_view cell) const;

 private:
  std::size_t points_ = 0, commas_ = 0;  // cells in which they are the decimal sign
};

/// What a value in this unit is multiplied with to be in the metric's base unit (ns, byte, hz): 1000 for "us",
/// "Kbyte/block" and "Kbyte". 1 for other units.
double unit_factor(std::string_view unit);

}  // namespace warpwalk::trace::ncu
