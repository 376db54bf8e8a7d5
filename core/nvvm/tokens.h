#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::nvvm {

/// A piece of LLVM IR.
struct Token {
  enum class Kind : std::uint8_t { word, local, global, metadata, text, sign, line_end, end };
  Kind kind = Kind::end;
  std::string text;  ///< without the sign before it and without quotes, escapes replaced
  std::uint32_t line = 0;
};

std::vector<Token> tokens_of(std::string_view ir);

}  // namespace warpwalk::nvvm
