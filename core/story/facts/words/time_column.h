#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwalk::story {

/// Times in one unit, that of the largest, so that a column of them can be compared at a glance. A time that would be
/// shown as 0.0 is "< 0.1".
class TimeColumn {
 public:
  /// `largest`: ns.
  explicit TimeColumn(std::int64_t largest);
  /// "1,234.5 µs"
  std::string text(std::int64_t ns) const;
  /// A difference: "+1,234.5 µs", "−0.1 ms"; "< 0.1" gets no sign.
  std::string signed_text(std::int64_t ns) const;

 private:
  double unit_ = 1;  // ns
  std::string_view name_ = "ns";
};

}  // namespace warpwalk::story
