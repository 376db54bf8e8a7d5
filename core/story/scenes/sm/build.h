#pragma once

#include <string_view>

#include "core/story/scenes/sm/picture.h"
#include "core/story/scenes/sm/subject.h"

namespace warpwalk::story {

/// The picture of a beat at the moment's phase.
SmPicture sm_picture(const SceneInput& input, const SmSubject& sm, std::string_view beat, const SmGains& gains,
                     const Narration::Values& values);

}  // namespace warpwalk::story
