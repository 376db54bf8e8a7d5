#include "core/story/sm_picture.h"

namespace warpwalk::story {

std::string text_of(const SmPicture&) { return {}; }
std::string everything_in(const SmPicture&) { return {}; }

}  // namespace warpwalk::story
