#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/crash/code.h"
#include "core/crash/core_dump.h"
#include "core/crash/near.h"
#include "core/words/crash/source_text.h"

namespace warpwalk::words {

/// The kernel of a grid, as people name it.
struct KernelWords {
  std::string name;                          ///< "gather", without types; the address if the dump lacks the code
  std::vector<std::string> parameter_types;  ///< "float const*"; empty: not in the kernel's name
  std::vector<std::string> parameter_names;  ///< from the debug information or the source file; empty: unknown

  /// "argument `table`", or "argument 0 (float const*)" where its name is not known; with the offset of a member.
  std::string argument(const crash::PointerArgument& argument) const;
  /// "table"; empty if it is not known.
  std::string_view argument_name(std::uint32_t ordinal) const;
};
KernelWords kernel_words(const crash::DumpGrid& grid, crash::Code& code, SourceTexts& sources);

/// A source position for people: that of the innermost call which is not in a header of CUDA's toolkit. A line of 0
/// means that there is none.
sass::SourcePosition shown_position(const std::vector<sass::SourcePosition>& positions);

/// "(1,0,0)"
std::string extent_text(const crash::Extent3& extent);
/// "0x7f00"
std::string address_text(std::uint64_t address);

}  // namespace warpwalk::words
