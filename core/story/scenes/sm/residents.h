#pragma once

#include <optional>

#include "core/story/scenes/sm/subject.h"

namespace warpwalk::story {

/// The last beat of scene 5: the blocks that are resident at a simulated moment, beside what the arithmetic allows and,
/// if it was recorded, what a GPU did. Without cycles, it says why, under the picture of the beat before.
Stage residents_stage(const SceneInput& input, std::vector<Beat> beats, const SmSubject& sm, const SmGains& gains,
                      Narration::Values values);

/// The next or the previous cycle at which a block starts or ends on the SM; none without cycles.
std::optional<std::int64_t> residents_stop(const SceneInput& input, bool forward);

}  // namespace warpwalk::story
