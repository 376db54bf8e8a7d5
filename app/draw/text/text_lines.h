#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::draw {

/// Text of which the lines are known. Places are in bytes; lines are counted from 0.
class TextLines {
 public:
  static constexpr std::size_t tab_columns = 4;

  const std::string& text() const { return text_; }
  void set_text(std::string text);
  /// Puts `text` in place of so many bytes.
  void replace(std::size_t place, std::size_t bytes, std::string_view text);

  std::size_t size() const { return starts_.size(); }
  /// The text of a line, without its line break.
  std::string_view operator[](std::size_t line) const;
  std::size_t start(std::size_t line) const { return starts_[line]; }
  std::size_t line_of(std::size_t place) const;
  /// Columns are characters; a tab goes to the next multiple of tab_columns.
  std::size_t column_of(std::size_t place) const;
  /// The place in a line that is closest to a column.
  std::size_t place_at(std::size_t line, std::size_t column) const;

 private:
  void index();

  std::string text_;
  std::vector<std::size_t> starts_{0};  // of the lines
};

/// The characters of a line as it is drawn: tabs are spaces, from this column on, at most so many.
std::string visible_part(std::string_view line, std::size_t from_column, std::size_t columns);

}  // namespace warpwalk::draw
