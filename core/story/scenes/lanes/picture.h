#pragma once

#include <string_view>

#include "core/story/pictures/panels.h"
#include "core/story/scenes/lanes/subject.h"

namespace warpwalk::story {

/// The 32 lanes with their registers and addresses, and beside them the sectors of the lines, or the banks, of the
/// access. Below, the active lanes of the instructions around this one.
Panels lanes_picture(const SceneInput& input, const LanesSubject& subject, std::string_view beat);

/// The sectors and lines of an access to global memory.
struct LanesFold {
  int lines = 0, sectors = 0;
  std::int64_t bytes_used = 0;  ///< distinct bytes that the lanes ask for
};
LanesFold fold_of(const gpu::LoggedAccess& access);

}  // namespace warpwalk::story
