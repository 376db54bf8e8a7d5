#include "core/story/pictures/cells.h"

#include <fmt/format.h>

namespace warpwalk::story {

void refuse_all(CellGrid& grid, const std::string& word, std::string_view note) {
  for (Cell& cell : grid.cells) {
    cell.tone = Tone::refused;
    cell.tip = fmt::format("{}: {}", cell.label, word);
  }
  grid.legend = {{Tone::refused, word}};
  grid.note.append(grid.note.empty() ? "" : " ").append(note);
}

}  // namespace warpwalk::story
