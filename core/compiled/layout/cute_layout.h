#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::compiled {

/// A layout of CuTe, as it prints: `(4,(2,3)):(1,(8,2))`, or composed with a swizzle: `Sw<3,4,3> o (8,64):(64,1)`.
struct CuteLayout {
  /// Sizes and strides of a mode, flat, the first one fastest.
  struct Mode {
    std::vector<std::int64_t> sizes, strides;
    std::int64_t size() const;
    /// The offset of the mode's i-th element.
    std::int64_t offset(std::int64_t i) const;
  };
  std::vector<Mode> modes;
  /// The swizzle exchanges `bits` bits above bit `base` with an XOR of those `shift` bits higher; bits 0: none.
  int bits = 0, base = 0, shift = 0;

  std::vector<std::int64_t> shape() const;
  std::int64_t elements() const;
  /// One more than the largest offset.
  std::int64_t cosize() const;
  /// One index per mode.
  std::int64_t offset(const std::vector<std::int64_t>& at) const;
};

/// Reads a layout. Accepts any text; the error is one line.
base::Result<CuteLayout> parse_cute_layout(std::string_view text);

}  // namespace warpwalk::compiled
