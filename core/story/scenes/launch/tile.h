#pragma once

#include <vector>

#include "core/story/scenes/launch/subject.h"

namespace warpwalk::story {

/// The beat "tile" of a matrix product: C as a mosaic of tiles, one for each block, and how one element is added up.
Stage tile_stage(const SceneInput& input, std::vector<Beat> beats, const LaunchSubject& subject,
                 Narration::Values values);

}  // namespace warpwalk::story
