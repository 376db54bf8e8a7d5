#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// One cell of a grid.
struct Cell {
  Tone tone = Tone::plain;
  std::string label;                                      ///< drawn if it fits
  std::string tip;                                        ///< at the pointer
  std::vector<std::pair<std::string, double>> sets = {};  ///< the controls that a click sets, besides CellGrid::control

  template <class V>
  void visit(V& v) const {
    v.data(tone, label, tip, sets);
  }
};

/// A grid of equal cells in row-major order: the blocks of a grid, the threads of a block, the banks of shared memory.
struct CellGrid {
  std::size_t columns = 1;
  std::vector<Cell> cells;
  std::optional<std::size_t> followed;               ///< framed
  std::vector<std::pair<Tone, std::string>> legend;  ///< what the tones mean here
  std::string summary;                               ///< for transcripts: what the cells show
  std::string note;                                  ///< under the grid, e.g. that only the first cells are drawn
  std::string control;                               ///< the control that a click sets to a cell's index; empty: none
  bool fitted = false;                               ///< a cell is as wide as its longest label needs, not square

  template <class V>
  void visit(V& v) const {
    v.data(columns, followed, legend, note, control, fitted);
    v.each(cells);
    if (!summary.empty()) v.line(summary);
    if (followed) v.line(cells[*followed].tip);
    if (!note.empty()) v.line(note);
  }
};

/// Marks all cells as refused; `word` says what that means, and `note`, added to the grid's, why.
void refuse_all(CellGrid& grid, const std::string& word, std::string_view note);

}  // namespace warpwalk::story
