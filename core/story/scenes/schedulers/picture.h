#pragma once

#include <string_view>

#include "core/story/pictures/panels.h"
#include "core/story/scenes/schedulers/subject.h"

namespace warpwalk::story {

/// A short word for what a warp does, as in the legend: "waits for memory".
std::string state_word(const Narration& narration, gpu::StallReason reason);

/// Every warp's state by cycles, and below it the code around the followed warp's instruction, and why it waits.
/// In the beat about the whole GPU, all SMs by cycles.
Panels schedulers_picture(const SceneInput& input, std::string_view beat, const SchedulersSubject& subject);

}  // namespace warpwalk::story
