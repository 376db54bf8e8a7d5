#pragma once

#include "core/story/stage/stage.h"

namespace warpwalk::story {

/// The length of a beat's motion in seconds, at normal speed: pictures that compute something take longer.
double motion_seconds_of(const Stage& stage);

/// How long a played walk stays on a stage after its motion, in seconds at normal speed: as long as a reader of 250
/// words per minute needs for the title and the sentence, less the motion, and at least 2.5.
double pause_seconds_of(const Stage& stage);

}  // namespace warpwalk::story
