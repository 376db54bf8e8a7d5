#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwalk::words {

/// Times in one unit, that of the largest, so that a column of them can be compared at a glance. Each has three digits
/// or more; a time of less than a tenth of the unit, as in a column that spans a factor of 1,000 or more, has a unit of
/// its own.
class TimeColumn {
 public:
  /// `largest`: ns.
  explicit TimeColumn(std::int64_t largest);
  /// "1,234.5 µs", "9.37 µs", "0.612 µs"
  std::string text(std::int64_t ns) const;
  /// A difference: "+1,234.5 µs", "−0.123 ms".
  std::string signed_text(std::int64_t ns) const;

 private:
  double unit_ = 1;  // ns
  std::string_view name_ = "ns";
};

}  // namespace warpwalk::words
