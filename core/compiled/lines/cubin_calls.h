#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/compiled/lines/ptx_lines.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::compiled {

/// The source positions of an instruction.
struct InstructionChain {
  CodeChain chain;            ///< empty: the cubin's line table has no row for it
  bool without_line = false;  ///< its PTX has no line; `chain` is that of the row before
};

/// The chains of all instructions of a function, by index.
std::vector<InstructionChain> instruction_chains(const sass::Cubin& cubin, const sass::CubinFunction& function,
                                                 const PtxLines& ptx);

}  // namespace warpwalk::compiled
