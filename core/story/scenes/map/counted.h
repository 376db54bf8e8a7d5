#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/story/scenes/map/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The beats of a walk whose work is untimed: the desks, then each recorded group of counters.
std::vector<Beat> counted_beats(const Trace& trace, const Walk& walk);

/// The variant of the sentence that is true in such a beat; empty for the first one.
std::string counted_beat_variant(const SceneInput& input, std::string_view beat);

/// Adds the lines, facts and missing data of a beat of a walk without times.
void add_counted_beat(const SceneInput& input, const std::vector<Beat>& beats, std::string_view beat, Stage& stage,
                      ReceiptPicture& picture);

}  // namespace warpwalk::story
