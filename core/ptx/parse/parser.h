#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/ptx/module.h"

namespace warpwalk::ptx {

/// A parse error: where and why the text is not a usable module.
struct Error {
  std::uint32_t line = 0, column = 0;  ///< from 1
  std::string token;                   ///< as in the text; empty at the end of the text
  std::string message;                 ///< one line: what is wrong and what was expected

  /// "12:5: `fmaa.rn.f32`: unknown instruction"
  std::string text() const;
};

/// Parses a module as nvcc 13 and NVRTC emit it for sm_75 to sm_90. Unknown instructions are errors here. Instructions
/// that parse but cannot be simulated are rejected before a launch (core/gpu/exec).
std::variant<Module, Error> parse(std::string_view text);

}  // namespace warpwalk::ptx
