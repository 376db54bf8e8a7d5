#pragma once

#include <string>

#include "core/ptx/instruction.h"

namespace warpwalk::ptx {

/// Describes what is wrong with the selector or the sign of an operand of a video instruction; empty if nothing is.
/// `is_written`: it is the destination.
std::string video_operand_error(const Instruction& instruction, const Operand& operand, bool is_written);

}  // namespace warpwalk::ptx
