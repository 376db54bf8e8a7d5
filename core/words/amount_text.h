#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/words/narration.h"

namespace warpwalk::words {

/// An amount with the prefix of its size, in words of the narration: section "kernels_page.flop" has the keys "0"
/// ("{n} FLOP"), "3" ("{n} kFLOP") to "18". "2.1 GFLOP", "139 TFLOP/s".
std::string amount_text(const Narration& narration, std::string_view section, double amount);

/// Rates of a column in one unit, that of the largest (GB/s to 10,000 GB/s), with one decimal: "1,234.5". A rate that
/// would be shown as 0.0 is
/// "< 0.1".
class RateColumn {
 public:
  explicit RateColumn(double largest);
  std::string text(double rate) const;
  /// The power of ten of the unit, "12" for TFLOP/s: a key of [kernels_page.flop_unit] and [kernels_page.byte_unit].
  std::string_view unit() const { return unit_; }

 private:
  double size_ = 1;
  std::string_view unit_ = "0";
};

}  // namespace warpwalk::words
