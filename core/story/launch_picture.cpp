#include "core/story/launch_picture.h"

namespace warpwalk::story {

std::string text_of(const LaunchPicture&) { return {}; }
std::string everything_in(const LaunchPicture&) { return {}; }

}  // namespace warpwalk::story
