#pragma once

#include "core/story/stage/stage.h"

namespace warpwalk::story {

/// The length of a beat's motion in seconds, at normal speed: pictures that compute something take longer.
double motion_seconds_of(const Stage& stage);

}  // namespace warpwalk::story
