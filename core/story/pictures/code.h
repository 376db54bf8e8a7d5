#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// The text that a line belongs to.
enum class CodeKind : unsigned char { source, ptx, sass };

/// One line of a pane, with the source line that it comes from.
struct CodeLine {
  std::int64_t number = 0;  ///< from 1; for SASS the byte offset
  std::string text;
  std::int64_t source_line = 0;  ///< 0: none, or not known
  bool lit = false;              ///< comes from the followed line
  std::string tip = {};          ///< shown at the pointer; may be empty
  /// Below a lit line: what its variables hold for the followed number, "sum 49 → 48".
  std::vector<std::string> values = {};

  template <class V>
  void visit(V& v) const {
    v.data(number, text, source_line, lit, tip, values);
  }
};

/// The visible part of one of the texts.
struct CodeWindow {
  std::vector<CodeLine> lines;
  std::int64_t all_lines = 0;  ///< in the text, or in the kernel's part of it
  std::int64_t lit_lines = 0;
  std::size_t focus = 0;  ///< the line to keep in the middle

  template <class V>
  void visit(V& v) const {
    v.data(all_lines, lit_lines, focus);
    v.each(lines);
  }
};

/// A line's number as a text: from 1, or the byte offset in hexadecimal for machine code.
std::string number_text(CodeKind kind, std::int64_t number);

/// Texts of a program side by side, their lines linked: source, PTX and machine code.
struct CodePicture {
  struct Column {
    std::string name;
    std::string note;
    std::string missing;  ///< in place of lines
    CodeKind kind = CodeKind::source;
    CodeWindow window;
    double share = 1;  ///< of the width, relative to the other columns

    template <class V>
    void visit(V& v) const {
      v.data(name, note, missing, kind, share);
      v.part(window);
      if (!missing.empty()) {
        v.line(name, ": ", missing);
        return;
      }
      for (const CodeLine& line : window.lines)
        if (line.lit) {
          v.line(name, " ", number_text(kind, line.number), ": ", line.text);
          for (const std::string& value : line.values) v.line(name, " value: ", value);
        }
    }
  };
  std::vector<Column> columns;
  std::string banner;  ///< over them, if the code is not the followed kernel's own
  std::int64_t line = 0;
  bool decoded = false;             ///< the machine code was decoded from a cubin
  std::vector<std::int64_t> lines;  ///< those that can be followed
  double progress = 1;              ///< 0 to 1: the light goes from the first column to the last
  std::string control;              ///< "translator.line": the control that a click on a line sets; empty: none

  template <class V>
  void visit(V& v) const {
    v.data(banner, line, decoded, lines, progress, control);
    if (!banner.empty()) v.line("banner: ", banner);
    v.each(columns);
  }
};

/// A column of these lines, numbered from 1 and linked to the same lines in the other columns; line `lit` is followed.
CodePicture::Column text_column(std::string name, std::vector<std::string> lines, std::size_t lit, double share = 1);

}  // namespace warpwalk::story
