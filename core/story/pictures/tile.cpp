#include "core/story/pictures/tile.h"

#include <fmt/format.h>

namespace warpwalk::story {

std::string TilePicture::tip_of(std::int64_t tile) const {
  const auto number = static_cast<std::size_t>(tile);
  std::string tip = fmt::format("{} {}", word_block, number);
  if (number < sm.size() && sm[number] >= 0) tip += fmt::format(" · {} {}", word_sm, sm[number]);
  return tip;
}

}  // namespace warpwalk::story
