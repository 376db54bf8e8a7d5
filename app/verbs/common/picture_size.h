#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::verbs {

/// The size of a picture in pixels.
struct PictureSize {
  int width = 0;
  int height = 0;
};

/// Parses "1920x1080"; none if it is no size, or out of range.
std::optional<PictureSize> parse_size(std::string_view text);
/// The line for a text that is no size.
std::string wrong_size(std::string_view text);

}  // namespace warpwalk::verbs
