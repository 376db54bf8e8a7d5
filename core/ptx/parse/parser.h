#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/ptx/module.h"

namespace warpwalk::ptx {

/// Why a text is not a module that can be used.
struct Error {
  std::uint32_t line = 0, column = 0;  ///< from 1
  std::string token;                   ///< as in the text; empty at its end
  std::string message;                 ///< one line: what is wrong and what belongs there

  /// "12:5: `fmaa.rn.f32`: unknown instruction"
  std::string text() const;
};

/// Reads a module as nvcc 13 and NVRTC write it for sm_75 to sm_90. Instructions this program does not know are errors
/// here; what is known and cannot be run is refused before a launch (core/gpu/exec).
std::variant<Module, Error> parse(std::string_view text);

}  // namespace warpwalk::ptx
