#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace warpwalk::story {

/// Follows a kernel's PTX line by line and knows which line of the source the instructions come from. The compiler
/// tells it in .loc lines (PTX ISA, "Debugging Directives: .loc"): `.loc 2 7 3, function_name $L, inlined_at 1 20 9` is
/// line 7 of file 2, in code that stands at line 20 of file 1. Any text will do: what is no .loc is passed over.
class PtxLines {
 public:
  /// Of this file of all that `ptx`, the whole text, names in its .file lines; folders do not matter. Where the file or
  /// the names are not known it is the file in which the kernel is written. That is not always number 1: nvcc numbers
  /// files as the text comes to them, and functions out of headers may come before the kernel.
  PtxLines(std::string_view ptx, std::string_view source_file);

  /// Takes the next line. True if it is a .loc.
  bool read(std::string_view line);
  /// Of the instructions that follow what was read: the innermost of their places that is in the file. 0 where they
  /// come from other files alone, or where no place was told.
  std::uint32_t line() const { return line_; }
  /// A place was told, in the file or not.
  bool has_place() const { return has_place_; }

 private:
  using Place = std::array<std::uint32_t, 3>;  // file, line, column

  static std::optional<Place> parse_place(std::string_view text);
  std::uint32_t line_of(const Place& place) const { return files_.contains(place[0]) ? place[1] : 0; }

  bool by_name_ = false;
  std::set<std::uint32_t> files_;         // the file's numbers
  std::map<Place, std::uint32_t> known_;  // the line that each place led to, when it was told last
  std::uint32_t line_ = 0;
  bool has_place_ = false;
};

}  // namespace warpwalk::story
