#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace warpwalk::story {

/// Reads a kernel's PTX line by line and finds the source line of each instruction. The compiler writes it in .loc
/// lines (PTX ISA, "Debugging Directives: .loc"): `.loc 2 7 3, function_name $L, inlined_at 1 20 9` is line 7 of file
/// 2, inlined at line 20 of file 1. Of Triton's kernels, LLVM writes the calls as a comment behind it:
/// `// standard.py:293:36 @[ softmax.py:21:29 ]`. Accepts any text; lines without .loc are skipped.
class PtxLines {
 public:
  /// `ptx`: the whole text. `source_file`: one of the files in its .file lines, without regard to folders. If the file
  /// or the names are not known, the file that contains the kernel is used. That is not always number 1: nvcc numbers
  /// files in the order of the text, and functions from headers may come before the kernel.
  PtxLines(std::string_view ptx, std::string_view source_file);

  /// Takes the next line. True if it is a .loc.
  bool read(std::string_view line);
  /// The source line of the instructions that follow: the innermost location in the file. 0 if they come only from
  /// other files, or before the first location.
  std::uint32_t line() const { return line_; }
  /// Whether there was any location yet, in the file or not.
  bool has_place() const { return has_place_; }

 private:
  using Place = std::array<std::uint32_t, 3>;  // file, line, column

  static std::optional<Place> parse_place(std::string_view text);
  std::uint32_t line_of(const Place& place) const { return files_.contains(place[0]) ? place[1] : 0; }

  std::uint32_t line_in_calls(std::string_view comment) const;

  bool by_name_ = false;
  std::map<std::uint32_t, std::string_view> names_;  // of files without folders, by number
  std::set<std::uint32_t> files_;                    // the numbers of the file
  std::map<Place, std::uint32_t> known_;             // the line of each location when it was read last
  std::uint32_t line_ = 0;
  bool has_place_ = false;
};

}  // namespace warpwalk::story
