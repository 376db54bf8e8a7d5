#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/records.h"

namespace warpwalk::story {

/// The text that a line belongs to.
enum class CodeKind : unsigned char { source, ptx, sass };

/// One line of a pane, with the source line that it comes from.
struct CodeLine {
  std::int64_t number = 0;  ///< from 1; for SASS the byte offset
  std::string text;
  std::int64_t source_line = 0;  ///< 0: none, or not known
  bool lit = false;              ///< comes from the followed line
};

/// The visible part of one of the texts.
struct CodeWindow {
  std::vector<CodeLine> lines;
  std::int64_t all_lines = 0;  ///< in the text, or in the kernel's part of it
  std::int64_t lit_lines = 0;
  std::size_t focus = 0;  ///< the line to keep in the middle
};

/// The three texts of a kernel around one line of its source.
struct CodeView {
  CodeWindow source, ptx, sass;
  std::int64_t line = 0;            ///< the followed line: the requested one, or the first that has code; 0: no map
  std::vector<std::int64_t> lines;  ///< the source lines that have code, in order
  std::string target;               ///< "sm_90", from the PTX; may be empty
};

/// The target of a PTX text, "sm_90"; empty if it does not say.
std::string ptx_target(std::string_view ptx);

/// Links the three texts of a kernel. Source lines belong to the module's source file; code that was inlined from
/// another file has the line of the call. `asked`: a source line, any number; 0 for the first known one that has code.
/// A window has at most `most` lines.
CodeView code_view(const trace::Module& module, std::string_view entry, std::int64_t asked, std::size_t most);

}  // namespace warpwalk::story
