#pragma once

#include <vector>

#include "core/story/facts/code/decoded_kernel.h"
#include "core/story/scenes/translator/instruction_picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The constants that the kernel's code reads from bank 0, with the values of this launch, and the parameters.
/// `selected`: the instruction whose constants are marked as read; constants of other banks are added for it.
std::vector<InstructionPane::Constant> constant_bank(const SceneInput& input, const DecodedKernel& kernel,
                                                     std::size_t selected);

}  // namespace warpwalk::story
