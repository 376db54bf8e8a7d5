#include "app/verbs/common/picture_size.h"

#include <charconv>

#include <fmt/format.h>

namespace warpwalk::verbs {

std::optional<PictureSize> parse_size(std::string_view text) {
  PictureSize size;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec != std::errc{} || width.ptr == end || *width.ptr != 'x') return {};
  const auto height = std::from_chars(width.ptr + 1, end, size.height);
  if (height.ec != std::errc{} || height.ptr != end) return {};
  if (size.width < 640 || size.height < 360 || size.width > 8192 || size.height > 8192) return {};
  return size;
}

std::string wrong_size(std::string_view text) {
  return fmt::format("--size {}: not a size; write WIDTHxHEIGHT, from 640x360 to 8192x8192", text);
}

}  // namespace warpwalk::verbs
