#include "core/story/motion.h"

#include "core/story/pictures/panels.h"

namespace warpwalk::story {

double motion_seconds_of(const Stage& stage) {
  const auto* const panels = std::get_if<std::shared_ptr<const Panels>>(&stage.picture);
  return panels == nullptr ? usual_motion_seconds : (*panels)->seconds;
}

}  // namespace warpwalk::story
