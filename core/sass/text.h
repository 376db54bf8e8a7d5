#pragma once

#include <string>

#include "core/sass/instruction.h"

namespace warpwalk::sass {

/// The text of an instruction in the form of NVIDIA's `cuobjdump -sass`, without the final semicolon:
/// "@!P0 LDG.E.64 R4, [R2.64+0x8]". Targets of branches are written as addresses ("nvdisasm" writes labels instead).
/// The architecture selects the names of special registers.
std::string text_of(const Instruction& instruction, Architecture architecture);

/// The mnemonic with its modifiers: "LDG.E.64".
std::string mnemonic_of(const Instruction& instruction);

}  // namespace warpwalk::sass
