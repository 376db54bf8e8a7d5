#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/gpu/timing/stall_reason.h"
#include "core/story/elements/narration.h"
#include "core/story/pictures/raster.h"

namespace warpwalk::story {

/// The states of a warp in a cycle as the rasters of this scene show them: several of Nsight Compute's reasons share a
/// state. raster_state() is an index into raster_states().
std::vector<RasterState> raster_states(const Narration& narration);
std::size_t raster_state(gpu::StallReason reason);

/// A short word for what a warp does, as in the legend: "waits for memory".
std::string state_word(const Narration& narration, gpu::StallReason reason);

/// Leaves out the states that no row shows, except the most common ones, so that the legend explains what is on screen.
void keep_shown_states(RasterPicture& picture);

}  // namespace warpwalk::story
