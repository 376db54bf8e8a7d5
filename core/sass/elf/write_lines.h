#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::sass {

/// A source position to write.
struct WrittenPosition {
  std::string file;
  std::uint32_t line = 0;
  std::string function;  ///< the inlined function that it is in; empty: not inlined, or not known

  bool operator==(const WrittenPosition&) const = default;
};

/// Replaces the line table (.debug_line) of one function of a cubin. `positions`: of each instruction, as
/// source_positions() returns them: innermost first. The other functions keep their lines, the code stays as it is.
/// Returns a copy, with the new sections at its end and the calls in NVIDIA's form (line_program.h); the cubin itself
/// if it cannot be read or has no line table for this function.
std::string with_source_lines(std::string_view cubin, std::string_view function,
                              const std::vector<std::vector<WrittenPosition>>& positions);

}  // namespace warpwalk::sass
