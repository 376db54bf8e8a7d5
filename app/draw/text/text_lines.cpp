#include "app/draw/text/text_lines.h"

#include <algorithm>
#include <utility>

#include "app/draw/text/utf8.h"

namespace warpwalk::draw {
namespace {

/// Calls visit(place, column, width) for each character of the line, as long as it returns true.
template <class Visit>
void for_each_character(std::string_view line, const Visit& visit) {
  std::size_t column = 0;
  for (std::size_t at = 0; at < line.size(); at = character_after(line, at)) {
    const std::size_t width =
        line[at] == '\t' ? TextLines::tab_columns - column % TextLines::tab_columns : std::size_t{1};
    if (!visit(at, column, width)) return;
    column += width;
  }
}

}  // namespace

void TextLines::index() {
  starts_.assign(1, 0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
    starts_.push_back(at + 1);
}

void TextLines::set_text(std::string text) {
  text_ = std::move(text);
  index();
}

void TextLines::replace(std::size_t place, std::size_t bytes, std::string_view text) {
  text_.replace(place, bytes, text);
  index();
}

std::string_view TextLines::operator[](std::size_t line) const {
  const std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] - 1 : text_.size();
  return std::string_view(text_).substr(starts_[line], end - starts_[line]);
}

std::size_t TextLines::line_of(std::size_t place) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(starts_, place) - starts_.begin()) - 1;
}

std::size_t TextLines::column_of(std::size_t place) const {
  const std::size_t number = line_of(place);
  std::size_t found = 0;
  for_each_character((*this)[number], [&](std::size_t at, std::size_t column, std::size_t width) {
    if (starts_[number] + at >= place) return false;
    found = column + width;
    return true;
  });
  return found;
}

std::size_t TextLines::place_at(std::size_t number, std::size_t wanted) const {
  const std::string_view text = (*this)[number];
  std::size_t found = text.size();
  for_each_character(text, [&](std::size_t at, std::size_t column, std::size_t width) {
    if (column + (width + 1) / 2 <= wanted) return true;
    found = at;
    return false;
  });
  return starts_[number] + found;
}

std::string visible_part(std::string_view line, std::size_t from_column, std::size_t columns) {
  std::string out;
  for_each_character(line, [&](std::size_t at, std::size_t column, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
      if (column + i < from_column || column + i >= from_column + columns) continue;
      if (line[at] == '\t')
        out += ' ';
      else
        out += line.substr(at, character_after(line, at) - at);
    }
    return column < from_column + columns;
  });
  return out;
}

}  // namespace warpwalk::draw
