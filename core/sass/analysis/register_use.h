#pragma once

#include "core/sass/analysis/register_set.h"
#include "core/sass/instruction.h"

namespace warpwalk::sass {

/// The registers that an instruction reads and writes. Values of 64 bits and more use consecutive registers.
struct RegisterUse {
  RegisterSet reads, writes;
  /// False if the guard may keep the instruction from executing: then the old values of `writes` may stay.
  bool always = true;
};

/// The registers that an instruction reads and writes, from its opcode, modifiers and operands. An instruction guarded
/// by @!PT uses none.
RegisterUse register_use(const Instruction& instruction);

/// How many 32-bit registers an operand of the kind reg or uniform_reg occupies: 2 for a 64-bit value.
unsigned register_count(const Instruction& instruction, std::size_t operand);

}  // namespace warpwalk::sass
