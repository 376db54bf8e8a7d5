#pragma once

#include "core/ptx/forms/form.h"
#include "core/ptx/instruction.h"
#include "core/ptx/parse/lexer.h"

namespace warpwalk::ptx {

/// What the word of an instruction says ("ld.global.v2.f32"), without its operands.
struct Decoded {
  Instruction pattern;         ///< opcode, modifiers, types and the like
  const Form* form = nullptr;  ///< what its operands may be
};

/// Fails where there is no such instruction, or it does not take these suffixes together.
Decoded decode(const Token& word);

}  // namespace warpwalk::ptx
