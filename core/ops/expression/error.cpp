#include "core/ops/expression/error.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/ops/expression/parsing.h"
#include "core/ops/expression/utf8.h"

namespace warpwalk::ops {
namespace {

constexpr std::string_view hint_begin = "; hint: ";
/// Columns of an expression that is shown whole; of a longer one, those before and behind the place.
constexpr std::size_t shown_whole = 110, shown_before = 60, shown_behind = 44;

/// Not a mark on paper: it could tear the line or change its direction.
bool unprintable(std::uint32_t point) {
  return point < ' ' || (point >= 0x7f && point < 0xa0) || point == 0xad || (point >= 0x200b && point <= 0x200f) ||
         (point >= 0x2028 && point <= 0x202e) || (point >= 0x2060 && point <= 0x206f) || point == 0xfeff;
}

struct Column {
  std::string_view text;
  std::size_t position = 0;  // in the expression
};

/// The text as it can be shown on one line, a character a column.
std::vector<Column> columns_of(std::string_view expression) {
  std::vector<Column> columns;
  for (std::size_t at = 0; at < expression.size();) {
    const std::size_t bytes = character_bytes(expression, at);
    const std::string_view character = expression.substr(at, std::max<std::size_t>(bytes, 1));
    const bool space = character.front() == ' ' || (character.front() >= '\t' && character.front() <= '\r');
    const bool good = bytes != 0 && !unprintable(code_point(character));
    columns.push_back({space ? " " : good ? character : "?", at});
    at += character.size();
  }
  return columns;
}

/// The part of an expression around a place that is shown.
struct Excerpt {
  std::string text;
  std::size_t mark = 0, mark_end = 0;  // columns of the whole expression, from 0
  std::size_t indent = 0;              // columns of `text` before the mark
  std::size_t marked = 1;              // marked columns of `text`
};

Excerpt excerpt_of(std::string_view expression, std::size_t position, std::size_t length) {
  const std::vector<Column> columns = columns_of(expression);
  const auto column_of = [&](std::size_t at) {
    return static_cast<std::size_t>(std::ranges::lower_bound(columns, at, {}, &Column::position) - columns.begin());
  };
  Excerpt excerpt;
  const std::size_t mark = excerpt.mark = column_of(position);
  excerpt.mark_end = std::max(column_of(position + length), mark + 1);
  const bool whole = columns.size() <= shown_whole;
  const std::size_t from = whole || mark < shown_before ? 0 : mark - shown_before;
  const std::size_t to = whole ? columns.size() : std::min(columns.size(), mark + shown_behind);
  if (from > 0) excerpt.text = "...";
  excerpt.indent = excerpt.text.size() + mark - from;
  for (std::size_t i = from; i < to; ++i) excerpt.text += columns[i].text;
  if (to < columns.size()) excerpt.text += "...";
  excerpt.marked = std::clamp(excerpt.mark_end, mark + 1, std::max(to, mark + 1)) - mark;
  return excerpt;
}

std::string place_of(std::string_view expression, std::size_t position, std::size_t length) {
  const Excerpt at = excerpt_of(expression, position, length);
  const std::string columns = at.mark_end == at.mark + 1 ? fmt::format("column {}", at.mark + 1)
                                                         : fmt::format("columns {} to {}", at.mark + 1, at.mark_end);
  return fmt::format("{} of `{}`: ", columns, at.text);
}

/// Reads a number at the start of the text and removes it.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

std::string ExpressionError::text(std::string_view expression) const {
  const Excerpt at = excerpt_of(expression, position, length);
  std::string result =
      fmt::format("{}\n{}^{}\n{}", at.text, std::string(at.indent, ' '), std::string(at.marked - 1, '~'), message);
  if (!hint.empty()) result += "\n" + hint;
  return result;
}

std::string ExpressionError::line(std::string_view expression) const {
  return place_of(expression, position, length) + message + (hint.empty() ? "" : std::string(hint_begin) + hint);
}

std::optional<ExpressionError> read_error_line(std::string_view line, std::string_view expression) {
  const std::string_view whole = line;
  if (!take(line, "columns ") && !take(line, "column ")) return {};
  const auto first = take_number(line);
  const auto last = take(line, " to ") ? take_number(line) : first;
  const std::vector<Column> columns = columns_of(expression);
  if (!first || !last || *first < 1 || *last < *first || *first > columns.size() + 1) return {};
  const auto byte_of = [&](std::size_t column) {
    return column < columns.size() ? columns[column].position : expression.size();
  };
  ExpressionError error;
  error.position = byte_of(*first - 1);
  error.length = std::max<std::size_t>(byte_of(*last) - error.position, 1);
  const std::string place = place_of(expression, error.position, error.length);
  if (!whole.starts_with(place)) return {};
  line = whole.substr(place.size());
  const std::size_t hint = std::min(line.find(hint_begin), line.size());
  error.message = line.substr(0, hint);
  error.hint = line.substr(std::min(hint + hint_begin.size(), line.size()));
  return error;
}

void fail(Place place, std::string message, std::string hint) {
  throw ExpressionFault{{place.position, place.length, std::move(message), std::move(hint)}};
}

}  // namespace warpwalk::ops
