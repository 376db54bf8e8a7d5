#include "core/story/scenes/translator/picture.h"

#include <fmt/format.h>

namespace warpwalk::story {

std::string KeysPane::row_text(const Row& row) const {
  std::string text = fmt::format("key {}: {}{}", row.key.key, row.key.set == Bit::maybe ? "(perhaps) " : "", row.does);
  if (functions_shown > 0 && !row.key.function.empty() && row.key.turn > 0)
    text += fmt::format(" [{}]", row.key.function);
  return row.key.turn > 0 ? text + fmt::format(", turn {}", row.key.turn) : text;
}

}  // namespace warpwalk::story
