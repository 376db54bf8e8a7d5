#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/draw/ui.h"

namespace warpwalk::pages {

/// A column of a list of rows.
struct GridColumn {
  std::string head, tip;
  float width = 0;     ///< of its figures; 0: the column takes a part of the room that is left
  float least = 0;     ///< of a column with width 0
  bool right = true;   ///< figures stand on the right
  std::size_t id = 0;  ///< the caller's number of it
  int rank = 0;        ///< columns with a high rank are left out first if there is no room
};

struct GridCell {
  std::string text;
  std::string tip = {};  ///< at the pointer; a cut text is shown there by itself
  double bar = 0;        ///< part of the cell's width that is filled, 0 to 1
  bool quiet = false;
};

/// Cursor and scroll of a list, kept between frames.
struct GridState {
  std::size_t cursor = 0;
  std::size_t first = 0;  ///< the first row shown
};

struct GridSort {
  std::size_t chosen = 0;  ///< id of the column that Left, Right and S act on
  std::size_t sorted = 0;  ///< id of the column that the rows are ordered by
  bool descending = true;
};

struct GridAnswer {
  std::optional<std::size_t> head;  ///< id of the column whose head was clicked
  bool open = false;                ///< the row at the cursor was clicked again
};

/// Those columns that fit in a width, in their order, with the widths they get. A column without room of its own shares
/// what is left.
std::vector<GridColumn> fitted_columns(std::vector<GridColumn> columns, float width);

/// Draws heads and the visible rows; `cell(row, id)` is called for these only. Up, Down, Page Up, Page Down and, unless
/// `typing`, Home and End move the cursor; the wheel scrolls; a click chooses a row.
GridAnswer paint_grid(draw::Ui& ui, const draw::Box& box, std::string_view id, std::span<const GridColumn> columns,
                      const GridSort& sort, std::size_t rows, GridState& state, bool typing,
                      const std::function<GridCell(std::size_t row, std::size_t column)>& cell);

/// Width of a text in a cell, with the gap to the next column.
float grid_width(const draw::Canvas& canvas, std::string_view text);
/// Width of a column: its head with the mark of the order, or its widest text.
float grid_width(const draw::Canvas& canvas, std::string_view head, std::string_view widest);

}  // namespace warpwalk::pages
