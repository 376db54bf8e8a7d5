#pragma once

#include "core/story/stage/stage.h"

namespace warpwalk::story {

/// How long a played walk stays on a stage after its motion, in seconds at normal speed: as long as a reader of 250
/// words per minute needs for the title and the sentence, less the motion, and at least 2.5.
double pause_seconds_of(const Stage& stage);

}  // namespace warpwalk::story
