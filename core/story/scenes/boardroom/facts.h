#pragma once

#include <optional>
#include <string_view>

#include "core/story/facts/launch/receipt.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Adds the facts of a beat, and what the trace lacks for it.
void boardroom_facts(const SceneInput& input, const std::optional<Receipt>& receipt, std::string_view beat,
                     const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story
