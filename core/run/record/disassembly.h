#pragma once

#include <atomic>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/records.h"

namespace warpwalk::run {

/// The machine code of one entry.
struct Disassembly {
  std::string sass;                         ///< nvdisasm's text of the entry, with source locations as comments
  std::vector<trace::LineMapRow> line_map;  ///< one row per instruction, in order
};

/// Compiles these entries of a module's PTX with ptxas for a compute capability ("9.0") and disassembles them with
/// nvdisasm. Both tools are searched for in PATH and in a CUDA toolkit. The results have the order of the set. The maps
/// contain lines of `source_file`, as in read_disassembly. On failure, returns a one-line error. Returns soon after
/// `cancel` is set.
base::Result<std::vector<Disassembly>> disassemble(std::string_view ptx, const std::set<std::string>& entries,
                                                   std::string_view compute_capability, std::string_view source_file,
                                                   const std::atomic<bool>* cancel = nullptr);

/// Extracts one entry from the output of `nvdisasm -gi -c` (with source locations) and `nvdisasm -gp -c` (with PTX
/// locations). Empty if the output does not contain the entry. The map contains only lines of `source_file`, matched by
/// file name without folders: code inlined from another file gets the line of the call site. If `source_file` is empty,
/// the lines refer to the file that contains the entry.
Disassembly read_disassembly(std::string_view with_source, std::string_view with_ptx, std::string_view entry,
                             std::string_view source_file);

}  // namespace warpwalk::run
