#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/trace/records.h"

namespace warpwalk::run {

/// The machine code of one entry.
struct Disassembly {
  std::string sass;                         ///< nvdisasm's text of the entry, with the lines of the source in comments
  std::vector<trace::LineMapRow> line_map;  ///< of each instruction, in order
};

/// Compiles PTX with ptxas for a compute capability ("9.0") and takes it apart with nvdisasm, both found in PATH or in
/// a CUDA toolkit. The error is one line.
std::variant<Disassembly, std::string> disassemble(std::string_view ptx, std::string_view entry,
                                                   std::string_view compute_capability);

/// The entry's part of what `nvdisasm -g -c` (with the source's lines) and `nvdisasm -gp -c` (with those of the PTX)
/// print. Empty where they do not have it.
Disassembly read_disassembly(std::string_view with_source, std::string_view with_ptx, std::string_view entry);

}  // namespace warpwalk::run
