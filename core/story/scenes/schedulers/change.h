#pragma once

#include <string_view>

#include "core/story/pictures/table.h"
#include "core/story/stage/control_set.h"

namespace warpwalk::story {

/// The change of the GPU that the controls of this scene ask for.
run::WhatIf chosen_change(const Controls& controls);

/// Adds the controls of the change. `blocks`: on an SM at a time, as launched.
void add_change_controls(ControlSet& controls, const SceneInput& input, std::int64_t blocks, bool one_warp);

/// The effect of the change on the launch: figures of the GPU as it is beside those of the changed one. The history has
/// both.
TablePicture change_table(const SceneInput& input);

/// Share of the issue slots in which an instruction was issued, 0 to 100, while blocks were resident.
double slots_used(const gpu::LaunchTiming& timing);

}  // namespace warpwalk::story
