#pragma once

#include "core/ptx/forms/form.h"
#include "core/ptx/instruction.h"
#include "core/ptx/parse/lexer.h"

namespace warpwalk::ptx {

/// An instruction word such as "ld.global.v2.f32" in decoded form, without its operands.
struct Decoded {
  Instruction pattern;         ///< opcode, modifiers, types and other suffixes
  const Form* form = nullptr;  ///< describes the valid operands
};

/// Decodes an instruction word. Fails if the instruction is unknown or does not accept this combination of suffixes.
Decoded decode(const Token& word);

}  // namespace warpwalk::ptx
