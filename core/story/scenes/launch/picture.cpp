#include "core/story/scenes/launch/picture.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::story {

std::string LaunchWay::queue_text() const {
  std::string text = more_ahead;
  for (const std::string& name : ahead) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const PlacedBlock* LaunchPicture::followed_block() const {
  const auto block = std::ranges::find(placed, followed, &PlacedBlock::block);
  return block == placed.end() ? nullptr : &*block;
}

std::string LaunchPicture::limits_text() const {
  std::string text;
  for (const RoomLimit& limit : limits)
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", limit.word, limit.blocks, limit.limits ? " *" : "");
  return text;
}

}  // namespace warpwalk::story
