#pragma once

#include <string_view>

#include "core/story/scenes/launch/picture.h"
#include "core/story/scenes/launch/subject.h"

namespace warpwalk::story {

/// The picture of a beat at the moment's phase.
LaunchPicture launch_picture(const SceneInput& input, const LaunchSubject& subject, std::string_view beat,
                             const Narration::Values& values);

/// A count with thousands separators.
std::string whole_text(std::uint64_t n);

}  // namespace warpwalk::story
