#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::ptx {

/// A parse error with its place and reason.
struct Error {
  std::uint32_t line = 0, column = 0;  ///< from 1
  std::string token;                   ///< as in the text; empty at the end of the text
  std::string message;                 ///< one line: what is wrong and what was expected

  /// "12:5: `fmaa.rn.f32`: unknown instruction"
  std::string text() const;
};

}  // namespace warpwalk::ptx
