#pragma once

#include <optional>

#include "core/story/stage/stage.h"

namespace warpwalk::document {

/// What the person has said once the answer to the stage's question is shown; none if the stage does not wait for one.
/// `said`: before that.
std::optional<story::Predictions> answered(const story::Stage& stage, const story::Predictions& said);

}  // namespace warpwalk::document
