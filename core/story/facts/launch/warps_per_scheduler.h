#pragma once

#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// Whether no warp scheduler can have more than one warp of the followed launch: by its grid, its blocks and the GPU in
/// the trace, for a launch that is itself simulated from its record. Then no scheduler has a choice. False if the trace
/// does not say.
bool one_warp_per_scheduler(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
