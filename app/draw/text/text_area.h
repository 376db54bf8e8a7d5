#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "app/draw/text/text_editor.h"
#include "app/draw/ui.h"

namespace warpwalk::draw {

/// A row of running text on screen: bytes of the text, with the spaces at which it is broken.
struct TextRow {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const TextRow&, const TextRow&) = default;
};
/// The rows of a text that is broken at spaces to fit the width, and at its line breaks; one at least. Every byte but
/// the line breaks is in a row.
std::vector<TextRow> text_rows(const Canvas& canvas, Style style, std::string_view text, float width);

/// A field for running text of several lines, which are broken at the width of the box. A click or Tab gives it the
/// focus, and then it takes the keys of TextEditor, with Up, Down, Home and End by the rows on screen; the wheel
/// scrolls. Ctrl+Z and Ctrl+Y are left to the page, which has the history of all its fields. Returns true if the text
/// changed.
bool text_area(Ui& ui, std::string_view id, const Box& box, TextEditor& editor, std::string_view hint);

}  // namespace warpwalk::draw
