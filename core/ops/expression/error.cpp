#include "core/ops/expression/error.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/ops/expression/utf8.h"

namespace warpwalk::ops {
namespace {

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

}  // namespace

std::string ExpressionError::text(std::string_view expression) const {
  const std::vector<Column> columns = columns_of(expression);
  const auto column_of = [&](std::size_t at) {
    return static_cast<std::size_t>(std::ranges::lower_bound(columns, at, {}, &Column::position) - columns.begin());
  };
  const std::size_t mark = column_of(position);
  const std::size_t mark_end = std::max(column_of(position + length), mark + 1);
  const bool whole = columns.size() <= shown_whole;
  const std::size_t from = whole || mark < shown_before ? 0 : mark - shown_before;
  const std::size_t to = whole ? columns.size() : std::min(columns.size(), mark + shown_behind);
  std::string line = from > 0 ? "..." : "";
  const std::size_t indent = line.size() + mark - from;
  for (std::size_t i = from; i < to; ++i) line += columns[i].text;
  if (to < columns.size()) line += "...";
  const std::size_t shown_end = std::clamp(mark_end, mark + 1, std::max(to, mark + 1));
  std::string result =
      fmt::format("{}\n{}^{}\n{}", line, std::string(indent, ' '), std::string(shown_end - mark - 1, '~'), message);
  if (!hint.empty()) result += "\n" + hint;
  return result;
}

}  // namespace warpwalk::ops
