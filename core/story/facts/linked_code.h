#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/pictures/code.h"
#include "core/trace/records.h"

namespace warpwalk::story {

/// The three texts of a kernel around one line of its source.
struct CodeView {
  CodeWindow source, ptx, sass;
  std::int64_t line = 0;            ///< the followed line, as asked for or the first that became code; 0: no map
  std::vector<std::int64_t> lines;  ///< the lines of the source that became code, in order
  std::string target;               ///< "sm_90", as the PTX says; may be empty
};

/// "sm_90": what a PTX text was made for; empty where it does not say.
std::string ptx_target(std::string_view ptx);

/// Lines of the source are those of the module's source file; what was inlined out of another file has the line that it
/// was inlined at. `asked`: a line of the source, any number; 0 for the first that is known to have become code. A
/// window has at most `most` lines.
CodeView code_view(const trace::Module& module, std::string_view entry, std::int64_t asked, std::size_t most);

}  // namespace warpwalk::story
