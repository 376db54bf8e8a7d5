#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::sass {

/// One row of a line table: the source position of the instructions from `address` to the next row.
struct LineRow {
  std::uint64_t address = 0;
  std::uint32_t file = 0;        ///< index into LineProgram::files
  std::uint32_t line = 0;        ///< 1 is the first
  std::int32_t inlined_at = -1;  ///< index of the row of the call, in the same sequence; -1: not inlined
  bool ends = false;             ///< `address` is the first address after the sequence
  std::int64_t function = -1;    ///< offset in .debug_str of the inlined function's name; -1: not inlined

  bool operator==(const LineRow&) const = default;
};

/// The rows of one function, in the order of the program.
struct LineSequence {
  std::uint64_t address_place = 0;  ///< offset in the section of the operand that sets the address: relocations name it
  std::vector<LineRow> rows;
};

/// A source file of a line table.
struct LineFile {
  std::string name;         ///< with folders, as in the section
  std::uint64_t bytes = 0;  ///< its size when it was compiled; 0: not recorded

  bool operator==(const LineFile&) const = default;
};

/// A section of DWARF line programs: .debug_line, or .nv_debug_line_sass, whose lines are those of the PTX.
struct LineProgram {
  std::vector<LineFile> files;
  std::vector<LineSequence> sequences;
};

/// Reads DWARF line programs of version 2 to 4, with NVIDIA's extended opcodes 0x90 (inlined call: the row of the call,
/// counted from 1, and the function's name) and 0x91 (function's name). Accepts any bytes; stops at the first damaged
/// unit.
LineProgram parse_line_program(std::string_view section);

}  // namespace warpwalk::sass
