#pragma once

#include <string>
#include <string_view>

#include "core/story/facts/words/opening_line.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The variant of the first beat's sentence that is true for this walk; empty for the usual one.
std::string opening_variant(const Trace& trace, const Walk& walk, const OpeningLine& line);

/// The first beat: the line, its numbers, and who works on them. It asks who multiplies, if a kernel is followed.
void add_opening(const SceneInput& input, const OpeningLine& line, const Narration::Values& values, Stage& stage);

/// The second beat: the parts of the machine, one by one, by the names of the company.
void add_company(const SceneInput& input, Stage& stage);

}  // namespace warpwalk::story
