#pragma once

#include <atomic>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/trace/records.h"

namespace warpwalk::run {

/// The machine code of one entry.
struct Disassembly {
  std::string sass;                         ///< nvdisasm's text of the entry, with the places in the source in comments
  std::vector<trace::LineMapRow> line_map;  ///< of each instruction, in order
};

/// Compiles these entries of a module's PTX with ptxas for a compute capability ("9.0") and takes them apart with
/// nvdisasm, both found in PATH or in a CUDA toolkit; in the order of the set. The maps have lines of `source_file`, as
/// in read_disassembly. The error is one line; it comes soon once `cancel` is set.
std::variant<std::vector<Disassembly>, std::string> disassemble(std::string_view ptx,
                                                                const std::set<std::string>& entries,
                                                                std::string_view compute_capability,
                                                                std::string_view source_file,
                                                                const std::atomic<bool>* cancel = nullptr);

/// The entry's part of what `nvdisasm -gi -c` (with the source's places) and `nvdisasm -gp -c` (with the PTX's) print.
/// Empty where they do not have it. Lines in the map are of `source_file` alone, found by its name without folders:
/// code inlined from another file has the line that it was inlined at. Where `source_file` is empty they are of the
/// file that the entry is written in.
Disassembly read_disassembly(std::string_view with_source, std::string_view with_ptx, std::string_view entry,
                             std::string_view source_file);

}  // namespace warpwalk::run
