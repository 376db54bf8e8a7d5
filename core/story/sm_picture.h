#pragma once

#include <string>

namespace warpwalk::story {

struct SmPicture {};

/// What the picture shows, in words, for transcripts.
std::string text_of(const SmPicture& picture);
/// Every word and every number that the picture is drawn from, those of its motion too: two pictures look the same
/// where this is the same.
std::string everything_in(const SmPicture& picture);

}  // namespace warpwalk::story
