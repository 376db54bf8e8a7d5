#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwalk::trace {

/// A source location, as nvdisasm -gi prints it before the instructions that come from it (NVIDIA's CUDA Binary
/// Utilities, "nvdisasm"). Inlined code has one line per inlining level, innermost first:
///   //## File "/src/half.cuh", line 7 inlined at "/src/relu.cu", line 20
///   //## File "/src/relu.cu", line 20
/// With -g, nvdisasm prints only the innermost location, without "inlined at". With -gp, it prints PTX lines in the
/// same form.
struct SassLocation {
  std::string_view file;  ///< as in the text
  std::uint32_t line = 0;
  std::string_view inlined_at;  ///< the file of the call; empty if not inlined
  std::uint32_t inlined_at_line = 0;
};

/// The file name in the output of nvdisasm -gp: the PTX embedded in a cubin.
inline constexpr std::string_view sass_ptx_file = ".nv_debug_ptx_txt";

/// Parses a location line of disassembler output; nullopt for all other lines.
std::optional<SassLocation> parse_sass_location(std::string_view line);

/// The last component of a path: "relu.cu" for "/src/relu.cu". Files are compared by it, because a walk may be opened
/// on another machine with other folders.
std::string_view file_name(std::string_view path);

/// The file that a function is defined in, given its part of the disassembler output: the outermost of the first
/// locations. Empty if there is none.
std::string_view sass_file(std::string_view function);

/// Reads disassembler output line by line and tracks which line of one file the instructions come from.
class SassLines {
 public:
  /// `file`: the file to track; its folders are ignored. Empty: no file.
  explicit SassLines(std::string_view file) : file_(file_name(file)) {}

  void read(std::string_view line);
  /// The source line of the instructions that follow: that of their innermost location in the file. 0 if they come only
  /// from other files or have no location.
  std::uint32_t line() const { return line_; }
  /// True once a location was read, in any file.
  bool has_location() const { return has_location_; }

 private:
  std::string_view file_;
  std::uint32_t line_ = 0;
  bool has_location_ = false;
  bool after_location_ = false;  // the previous line was a location, too
};

}  // namespace warpwalk::trace
