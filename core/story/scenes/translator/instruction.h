#pragma once

#include "core/story/facts/code/decoded_kernel.h"
#include "core/story/scenes/translator/instruction_picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// One instruction of the followed kernel among its neighbours: the one that the person chose, else one that waits for
/// a barrier, of the source line with the most instructions. Says why if the code cannot be decoded.
InstructionPane instruction_pane(const SceneInput& input);

/// The code of the instruction beat and of its facts; nullopt if the module has no cubin that can be read.
std::optional<DecodedKernel> followed_code(const SceneInput& input);

}  // namespace warpwalk::story
