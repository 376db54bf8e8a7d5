#pragma once

#include <cstddef>

#include "core/sass/instruction.h"

namespace warpwalk::sass {

/// True for instructions on textures and surfaces.
bool accesses_texture(Opcode opcode);

/// The number of registers of an operand of such an instruction: a register, a uniform register or an address.
unsigned texture_register_count(const Instruction& instruction, std::size_t operand);

}  // namespace warpwalk::sass
