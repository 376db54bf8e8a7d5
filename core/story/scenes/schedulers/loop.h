#pragma once

#include "core/story/pictures/raster.h"
#include "core/story/pictures/table.h"
#include "core/story/scenes/schedulers/subject.h"

namespace warpwalk::story {

/// The loop that a warp runs through in a cycle, or else, of those near it, the one with the most passes; none if it
/// runs through none there. Cycles of the SM up to some ten thousand before and after are looked at.
std::shared_ptr<const FollowedLoop> loop_near(run::TimeTravel& travel, std::uint16_t sm, const gpu::WarpPlace& warp,
                                              std::int64_t cycle);

/// The passes of the subject's loop below one another, from the cycle in which each begins; those that are alike are
/// folded into one row.
RasterPicture loop_raster(const SceneInput& input, const SchedulersSubject& subject);
/// The cycles of a pass by state, on average.
TablePicture loop_table(const SceneInput& input, const SchedulersSubject& subject);

/// Adds what the sentences about the loop say.
void add_loop_values(const SceneInput& input, const SchedulersSubject& subject, Narration::Values& values);

}  // namespace warpwalk::story
