#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/exec/program.h"

namespace warpwalk::debug {

/// A place in a text that a person reads: the source, or the listing of the code if the code names no source.
struct CodeLine {
  std::uint32_t file = 0;  ///< index into CodeMap::files()
  std::uint32_t line = 0;  ///< 1 is the first
  std::uint32_t column = 0;
  friend bool operator==(const CodeLine&, const CodeLine&) = default;
};

/// A function at an instruction: the one that has the instruction, or one that this was inlined into.
struct CodeFrame {
  std::string function;
  CodeLine at;
  bool inlined = false;
};

/// Which lines the instructions of a program belong to. Without line information, the file is the PTX, or a listing of
/// the machine code with a line for each instruction.
class CodeMap {
 public:
  /// `ptx`: the text, empty if there is none; `ptx_file`: its name. `capability`: 90 for "9.0".
  CodeMap(const gpu::Program& program, std::string_view ptx, std::string ptx_file, std::uint32_t capability);

  std::uint32_t size() const { return static_cast<std::uint32_t>(lines_.size()); }
  const std::vector<std::string>& files() const { return files_; }
  /// Whether a file's text is here, because it is in no file on the disk: that of the listing.
  bool is_listing(std::uint32_t file) const { return has_listing_ && file == 0; }
  /// The text of all instructions, a line each.
  std::string listing() const;

  /// The innermost line, and the number of calls that are inlined there.
  const CodeLine& line_of(std::uint32_t instruction) const { return lines_[instruction]; }
  unsigned inline_depth(std::uint32_t instruction) const { return depths_[instruction]; }
  /// The line at a depth of inlining: 0 is the function itself; deeper than there is: the innermost.
  CodeLine line_at(std::uint32_t instruction, unsigned depth) const;
  /// Innermost first; the last one is the function that is not inlined.
  std::vector<CodeFrame> frames(std::uint32_t instruction) const;
  const std::string& function_of(std::uint32_t instruction) const;
  /// In bytes from the start of the function in machine code, else the index.
  std::uint64_t address_of(std::uint32_t instruction) const;
  std::string text_of(std::uint32_t instruction) const;
  bool is_call(std::uint32_t instruction) const { return calls_[instruction] > 0; }
  bool is_return(std::uint32_t instruction) const { return calls_[instruction] < 0; }

  /// The files that a name means: equal, or with the same last component.
  std::vector<std::uint32_t> files_named(std::string_view name) const;
  /// The first line with code from a line on; 0 if there is none.
  std::uint32_t line_with_code(std::uint32_t file, std::uint32_t line) const;
  /// All lines with code of a file, ascending.
  std::vector<std::uint32_t> lines_with_code(std::uint32_t file) const;
  /// The instructions of a line, also those of code that was inlined there.
  std::vector<std::uint32_t> instructions_of(std::uint32_t file, std::uint32_t line) const;
  /// The first instructions of the functions with this name, plain or mangled.
  std::vector<std::uint32_t> entries_of(std::string_view function) const;
  std::vector<std::string> functions() const;

 private:
  const gpu::Program& program_;
  const std::uint32_t capability_;
  std::vector<std::string> files_;
  std::vector<std::string> ptx_lines_;
  std::vector<CodeLine> lines_;
  std::vector<unsigned> depths_;
  std::vector<signed char> calls_;  ///< 1: calls, -1: returns
  bool has_listing_ = false, has_source_ = false;
};

}  // namespace warpwalk::debug
