#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/compiled/lines/chain.h"

namespace warpwalk::compiled {

/// The debug locations in the text form of LLVM IR (.llir).
struct LlvmLines {
  std::vector<CodeChain> chains;      ///< each !DILocation with the calls of its inlinedAt
  std::vector<std::int32_t> of_line;  ///< by line, from 0: index in `chains` of its !dbg; -1: it has none
  std::vector<bool> instruction;      ///< by line: an instruction of a function
};

/// Reads it. Accepts any text.
LlvmLines read_llvm_lines(std::string_view llir);

}  // namespace warpwalk::compiled
