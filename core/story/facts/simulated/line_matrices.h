#pragma once

#include <string>

#include "core/story/facts/words/opening_line.h"
#include "core/story/pictures/opening.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Adds the inputs and the result of the followed op to the picture of its line: a corner of each, with the row and the
/// column that the followed number comes from, and `element` in the place of the number itself. Adds nothing if the
/// trace has no shapes of matrices.
void add_line_matrices(const SceneInput& input, const OpeningLine& line, const std::string& element,
                       OpeningPicture& picture);

}  // namespace warpwalk::story
