#include "core/story/pictures/table.h"

namespace warpwalk::story {

std::string TableRow::joined() const {
  std::string text;
  for (const TableCell& cell : cells)
    if (const std::string words = cell.figure ? text_with_origin(*cell.figure) : cell.text; !words.empty())
      text.append(text.empty() ? "" : " | ").append(words);
  return text;
}

}  // namespace warpwalk::story
