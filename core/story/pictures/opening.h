#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// One word or sign of the line that a walk begins with.
struct OpeningToken {
  std::string text;
  bool followed = false;  ///< the token of the followed op
  double lit = 1;         ///< 0 dark, 1 lit

  template <class V>
  void visit(V& v) const {
    v.data(text, followed, lit);
  }
};

/// An input or the result of the line: its upper left corner.
struct OpeningMatrix {
  std::string sign;  ///< before it: "@", "="; may be empty
  std::string name;  ///< "a"
  std::string size;  ///< "1,024 × 1,024"
  std::vector<std::vector<std::string>> corner;
  bool more_rows = false, more_columns = false;  ///< the matrix is larger than the corner
  std::int64_t first_row = 0, first_column = 0;  ///< of the corner in the matrix
  /// The row and the column of the corner that the followed number comes from; with both, the number itself.
  std::optional<std::size_t> row, column;
  std::string row_control, column_control;  ///< a click on an element sets them to its row and column; empty: none
  Tone tone = Tone::memory;
  double shown = 1;

  template <class V>
  void visit(V& v) const {
    v.data(sign, name, size, corner, more_rows, more_columns, first_row, first_column, row, column, row_control,
           column_control, tone, shown);
    if (!v.on_screen(shown)) return;
    v.line("matrix ", name, ": ", size, corner.empty() ? "" : row || column ? ", marked " : ", begins ", first_line());
  }

 private:
  /// The marked line of the corner, else its first row.
  std::string first_line() const;
};

/// CPU or GPU, and its part of the work.
struct OpeningPart {
  std::string name;
  std::string task;
  Tone tone = Tone::plain;

  template <class V>
  void visit(V& v) const {
    v.data(name, task, tone);
    v.line("part: ", name, ": ", task);
  }
};

/// The beginning of a walk: a line of code in large type, and the numbers that it works on.
struct OpeningPicture {
  std::vector<OpeningToken> tokens;
  std::string source;  ///< where the line comes from
  std::vector<OpeningMatrix> matrices;
  std::string numbers;  ///< where the numbers come from, and that this is a corner
  std::vector<OpeningPart> parts;
  double parts_shown = 1;

  std::string line() const;

  template <class V>
  void visit(V& v) const {
    v.data(source, numbers, parts_shown);
    v.each(tokens);
    v.line("line: ", line());
    v.line(source);
    v.each(matrices);
    if (!numbers.empty()) v.line(numbers);
    if (v.on_screen(parts_shown)) v.each(parts);
  }
};

}  // namespace warpwalk::story
