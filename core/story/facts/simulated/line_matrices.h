#pragma once

#include <string>

#include "core/story/facts/words/opening_line.h"
#include "core/story/pictures/opening.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Adds the inputs and the result of the followed op to the picture of its line: a corner of each, with the row and the
/// column that the followed number comes from, and `element` in the place of the number itself. For a line that a
/// person typed, the inputs are the tensors that it names, of any number and dimensions; if the op is only a part of
/// the line, the line's result comes last. Adds nothing if the trace has no shapes.
void add_line_matrices(const SceneInput& input, const OpeningLine& line, const std::string& element,
                       OpeningPicture& picture);

/// The result that has the followed number; null if the picture has none.
OpeningMatrix* marked_result(OpeningPicture& picture);

}  // namespace warpwalk::story
