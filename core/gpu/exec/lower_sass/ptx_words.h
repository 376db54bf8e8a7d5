#pragma once

#include "core/ptx/instruction.h"
#include "core/sass/word.h"

namespace warpwalk::gpu {

// The PTX equivalents of modifiers of machine code.

ptx::Rounding rounding_of(sass::Word word);           ///< RN, RM, RP, RZ
ptx::Rounding integral_rounding_of(sass::Word word);  ///< RN, FLOOR, CEIL, TRUNC
ptx::Compare compare_of(sass::Word word);             ///< of floats; none for F and T
ptx::Action combination_of(sass::Word word);          ///< AND, OR, XOR
ptx::Type type_of(sass::Word word);                   ///< F16, U8, ...; none if it is not a scalar type

/// An instruction with this opcode, to be completed.
ptx::Instruction ptx_instruction(ptx::Opcode opcode);
/// Adds a modifier to an instruction, or removes it.
void set(ptx::Instruction& instruction, ptx::Modifier modifier, bool value = true);

}  // namespace warpwalk::gpu
