#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwalk::trace {

/// A place in the source, as nvdisasm -gi prints it before the instructions that come from there (NVIDIA's CUDA Binary
/// Utilities, "nvdisasm"). Of inlined code there is one for every level, in lines of their own, the innermost first:
///   //## File "/src/half.cuh", line 7 inlined at "/src/relu.cu", line 20
///   //## File "/src/relu.cu", line 20
/// With -g it prints the innermost alone, and not where it is inlined. With -gp it names lines of the PTX likewise.
struct SassPlace {
  std::string_view file;  ///< as it is in the text
  std::uint32_t line = 0;
  std::string_view inlined_at;  ///< the file of the call; empty where nothing is inlined
  std::uint32_t inlined_at_line = 0;
};

/// The file whose lines nvdisasm -gp names: the PTX that a cubin holds.
inline constexpr std::string_view sass_ptx_file = ".nv_debug_ptx_txt";

/// The place that a line of a disassembler's text tells; other lines tell none.
std::optional<SassPlace> parse_sass_place(std::string_view line);

/// "relu.cu" of "/src/relu.cu": what files are compared by, as a walk travels further than the folders of the machine
/// on which it was recorded.
std::string_view file_name(std::string_view path);

/// The file that a function itself is written in, of its part of a disassembler's text: the outermost of the first
/// places. Empty where it has none.
std::string_view sass_file(std::string_view function);

/// Follows a disassembler's text line by line and knows which line of one file the instructions come from.
class SassLines {
 public:
  /// Of this file; its folders do not matter. Empty: of no file.
  explicit SassLines(std::string_view file) : file_(file_name(file)) {}

  void read(std::string_view line);
  /// Of the instructions that follow what was read: the line of the innermost of their places that is in the file. 0
  /// where they come from other files alone, or where no place was told.
  std::uint32_t line() const { return line_; }
  /// A place was told, in the file or not.
  bool told() const { return told_; }

 private:
  std::string_view file_;
  std::uint32_t line_ = 0;
  bool told_ = false;
  bool among_places_ = false;  // the line before told one, too
};

}  // namespace warpwalk::trace
