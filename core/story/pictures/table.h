#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/elements/walk.h"
#include "core/story/pictures/rank_target.h"
#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A cell of a table: words, or a figure with its origin.
struct TableCell {
  std::string text;
  std::optional<Figure> figure;  ///< in place of the text
  Tone tone = Tone::plain;
  bool code = false;  ///< set in the code font
  std::string tip;    ///< at the pointer; a figure's formula follows by itself
  std::string below;  ///< further lines, in a quieter colour; only in a column that wraps

  std::string shown() const { return figure ? figure->text() : text; }

  template <class V>
  void visit(V& v) const {
    v.data(text, figure, tone, code, tip, below);
  }
};

inline TableCell figure_cell(Figure figure) { return {{}, std::move(figure), Tone::plain, false, {}, {}}; }
inline TableCell word_cell(std::string text, Tone tone = Tone::plain) {
  return {std::move(text), {}, tone, false, {}, {}};
}
/// A text in the code font.
inline TableCell code_cell(std::string text, Tone tone = Tone::plain) {
  return {std::move(text), {}, tone, true, {}, {}};
}
/// A whole number with its thousands separated, in the code font.
inline TableCell number_cell(std::int64_t value, Tone tone = Tone::plain) {
  return {with_thousands(value), {}, tone, true, {}, {}};
}
/// An exact number of bytes, in the code font.
inline TableCell bytes_cell(std::int64_t bytes) { return {shared_bytes_text(bytes), {}, Tone::plain, true, {}, {}}; }

struct TableRow {
  std::vector<TableCell> cells;
  bool followed = false;
  std::optional<std::int64_t> cycle = {};                 ///< a click goes to this cycle of the kernel
  std::vector<std::pair<std::string, double>> sets = {};  ///< the controls that a click sets
  SliceId follow = no_slice;                              ///< a click follows this op or GPU work in the boardroom
  std::optional<RankTarget> rank = {};                    ///< a click follows this in the trace of its rank

  template <class V>
  void visit(V& v) const {
    v.data(followed, cycle, sets, follow);
    v.part(rank);
    v.each(cells);
    v.line(joined());
  }

 private:
  std::string joined() const;
};

struct TableColumn {
  std::string head;
  double share = 1;    ///< of the width, relative to the other columns
  bool right = false;  ///< aligned right, as numbers are
  bool fits = false;   ///< as wide as its longest text, in place of a share
  bool wraps = false;  ///< text may take several lines, as far as the table's height allows

  template <class V>
  void visit(V& v) const {
    v.data(head, share, right, fits, wraps);
  }
};

/// Rows and columns of words and figures.
struct TablePicture {
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  /// So many rows need room; of those after them as many are drawn as there is room for.
  std::size_t least_rows = std::numeric_limits<std::size_t>::max();

  template <class V>
  void visit(V& v) const {
    v.data(least_rows);
    v.each(columns);
    v.each(rows);
  }
};

}  // namespace warpwalk::story
