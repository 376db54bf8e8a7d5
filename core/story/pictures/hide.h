#pragma once

#include <cstddef>
#include <cstdint>

#include "core/story/pictures/panels.h"

namespace warpwalk::story {

/// What stands in place of a value that is hidden while a question is open.
constexpr const char* hidden_value = "?";

/// Hides the values of a picture and leaves its frame: axes, heads, names of rows, text of programs. Bars, curves,
/// points, spans and tones go; in a table, the first column stays.
void hide_values(PanelPicture& picture);
/// The same for all panels; those whose picture has no frame without its values are removed.
void hide_values(Panels& panels);

/// Hides the columns of a table from `column` on, in the rows from `row` on.
void hide_columns(TablePicture& table, std::size_t column, std::size_t row = 0);
/// Gives all cells one plain look; their labels stay.
void hide_tones(CellGrid& grid);
/// Hides the labels, too.
void hide_cells(CellGrid& grid);
/// Takes away the points of a group of a scatter plot; the others stay.
void hide_group(ScatterPicture& picture, std::size_t group);
/// Takes away all that is from `end` on.
void hide_spans(RasterPicture& raster, std::int64_t end);

/// The picture of this kind, if the panel at the place has one; otherwise null.
template <class Picture>
Picture* picture_at(Panels& panels, std::size_t row, std::size_t column) {
  if (row >= panels.rows.size() || column >= panels.rows[row].panels.size()) return nullptr;
  return std::get_if<Picture>(&panels.rows[row].panels[column].picture);
}

}  // namespace warpwalk::story
