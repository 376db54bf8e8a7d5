#pragma once

#include <string_view>

#include "core/story/scenes/map/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Whether the map ends with a beat about the simulated GPU's counters. True for a kernel whose trace lacks simulated
/// counters.
bool ends_simulated(const Trace& trace, const Walk& walk);

/// The variant of the sentence that is true in that beat.
std::string_view simulated_variant(const SceneInput& input);

/// Adds the lines, banner, facts and missing data of that beat.
void add_simulated_beat(const SceneInput& input, Stage& stage, ReceiptPicture& picture);

}  // namespace warpwalk::story
