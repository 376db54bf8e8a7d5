#pragma once

#include <string_view>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Scene 6, the regional managers: the warp schedulers of one SM, cycle by cycle.
std::vector<Beat> schedulers_beats(const Trace& trace, const Walk& walk);
Stage schedulers(const SceneInput& input);

/// The change of the GPU that a beat shows: the one that the person chose, or no latency hiding in the beat about it.
run::WhatIf schedulers_what_if(std::string_view beat, const Controls& controls);

/// The next or the previous cycle at which the kind of event that the person chose happens to the followed warp; none
/// if there is none near, or if the stage shows no cycles.
std::optional<std::int64_t> schedulers_stop(const SceneInput& input, bool forward);

}  // namespace warpwalk::story
