#pragma once

#include <optional>
#include <vector>

#include "core/story/scenes/launch/subject.h"

namespace warpwalk::story {

/// The last beat of scene 4: the block scheduler at work on the simulated GPU, cycle by cycle, beside what was
/// measured. Without cycles, it says why, under the picture of the beat before. `subject` is that of the beat "tail".
Stage simulated_blocks_stage(const SceneInput& input, std::vector<Beat> beats, const LaunchSubject& subject,
                             Narration::Values values);

/// The next or the previous cycle at which a block starts or ends; none without cycles.
std::optional<std::int64_t> simulated_blocks_stop(const SceneInput& input, bool forward);

}  // namespace warpwalk::story
