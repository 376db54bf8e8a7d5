#pragma once

#include <string>

namespace warpwalk::story {

struct LaunchPicture {};

/// What the picture shows, in words, for transcripts.
std::string text_of(const LaunchPicture& picture);
/// Every word and every number that the picture is drawn from, those of its motion too: two pictures look the same
/// where this is the same.
std::string everything_in(const LaunchPicture& picture);

}  // namespace warpwalk::story
