#pragma once

// This folder links a kernel's source, PTX and machine code. core/ptx and core/sass decode them.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/elements/walk.h"
#include "core/story/pictures/code.h"
#include "core/trace/records.h"

namespace warpwalk::story {

/// The three texts of a kernel around one line of its source.
struct CodeView {
  CodeWindow source, ptx, sass;
  std::int64_t line = 0;            ///< the followed line: the requested one, or the one with the most code; 0: none
  std::vector<std::int64_t> lines;  ///< the source lines that have code, in order
  std::string target;               ///< "sm_90", from the PTX; may be empty
  bool decoded = false;             ///< the machine code was decoded from the module's cubin
};

/// The module of the walk's kernel; null if the trace has none.
const trace::Module* module_of(const Trace& trace, const Walk& walk);

/// The target of a PTX text, "sm_90"; empty if it does not say.
std::string ptx_target(std::string_view ptx);

inline constexpr std::int64_t no_line = std::numeric_limits<std::int64_t>::min();

/// Links the three texts of a kernel. Machine code is decoded from the module's cubin if it has one; else it is the
/// recorded text. Source lines belong to the module's source file; code that was inlined from
/// another file has the line of the call. `asked`: a source line, any number; 0 or less for the line with the most
/// instructions, `no_line` for none. A window has at most `limit` lines.
CodeView code_view(const trace::Module& module, std::string_view entry, std::int64_t asked, std::size_t limit);

}  // namespace warpwalk::story
