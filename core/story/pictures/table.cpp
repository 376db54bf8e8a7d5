#include "core/story/pictures/table.h"

namespace warpwalk::story {

std::string TableRow::joined() const {
  std::string text;
  for (const TableCell& cell : cells)
    for (const std::string& words : {cell.figure ? text_with_origin(*cell.figure) : cell.text, cell.below})
      if (!words.empty()) text.append(text.empty() ? "" : " | ").append(words);
  return text;
}

}  // namespace warpwalk::story
