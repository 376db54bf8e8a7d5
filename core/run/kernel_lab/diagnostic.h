#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::run {

/// A message about one place in a draft of the Kernel lab.
struct Diagnostic {
  enum class Text : std::uint8_t { source, launch };
  Text text = Text::source;
  std::uint32_t line = 0, column = 0;  ///< from 1; 0: no particular one
  std::string message;                 ///< one line, without the place
  bool warning = false;
  std::uint32_t other_line = 0;  ///< of the other access of a race; 0: none
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;

  /// "line 3: identifier "x" is undefined"
  std::string with_place() const;
};

/// At most this many messages of a compiler are kept.
inline constexpr std::size_t max_diagnostics = 100;

/// Reads the messages of NVRTC and nvcc ("kernel.cu(3): error: identifier "x" is undefined") or of clang
/// ("kernel.cu:3:14: error: use of undeclared identifier 'x'") about the file `name`. Messages about included files get
/// line 0 and keep their place in the text. Other lines are left out.
std::vector<Diagnostic> parse_compiler_log(std::string_view log, std::string_view name);

/// Reads ptxas's message: "kernel.ptx, line 7; error   : Unknown symbol 'x'", possibly after "ptxas ".
Diagnostic parse_ptxas_error(std::string_view line);

/// A message that starts with a place in PTX, "12:5: ..." (ptx::Error) or "line 12: ..." (gpu::prepare).
Diagnostic parse_ptx_error(std::string_view message);

/// Without spaces, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace warpwalk::run
