#include "core/story/translator_picture.h"

namespace warpwalk::story {

std::string text_of(const TranslatorPicture&) { return {}; }
std::string everything_in(const TranslatorPicture&) { return {}; }

}  // namespace warpwalk::story
