#pragma once

#include "core/sass/instruction.h"

namespace warpwalk::sass {

/// The purpose of an instruction, in the coarse groups by which compiled code is compared.
enum class InstructionKind : std::uint8_t {
  load,         ///< from global or shared memory, or a texture
  store,        ///< to global or shared memory, atomics included
  local,        ///< local memory: variables on the stack, spilled registers
  floating,     ///< floating-point arithmetic and conversion, matrix products
  integer,      ///< integer arithmetic, logic and comparisons: indices, addresses and loop counters
  move,         ///< between registers, from constants and special registers
  control,      ///< branches, barriers, the end of the thread
  no_operation  ///< padding
};

/// The kind of an instruction, by its opcode. IMAD.MOV is integer arithmetic in the machine but counts as a move.
InstructionKind kind_of(const Instruction& instruction);

}  // namespace warpwalk::sass
