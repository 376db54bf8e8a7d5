#include "core/trace/csv/csv_rows.h"

#include <algorithm>

#include "core/trace/json/json_text.h"

namespace warpwalk::trace {
namespace {

// A longer cell is not one: its quote is of a line that another program printed.
constexpr std::size_t longest_row = std::size_t{1} << 20;

}  // namespace

std::optional<std::size_t> split_csv_row(std::string_view text, char separator, std::vector<std::string>& cells) {
  cells.assign(1, {});
  bool quoted = false, cell_begins = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c != '"') {
        cells.back().push_back(c);
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        cells.back().push_back('"');
        ++at;
      } else {
        quoted = false;
      }
      continue;
    }
    if (c == '\n') {
      if (cells.back().ends_with('\r')) cells.back().pop_back();
      return at + 1;
    }
    if (c == '"' && cell_begins)
      quoted = true;
    else if (c == separator)
      cells.emplace_back();
    else
      cells.back().push_back(c);
    cell_begins = c == separator;
  }
  return {};
}

CsvRows::CsvRows(Window& window) : window_(window) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  window_.fill(byte_order_mark.size());
  if (window_.text().starts_with(byte_order_mark)) window_.drop(byte_order_mark.size());
}

std::size_t CsvRows::split_row() {
  window_.fill(longest_row);
  const std::string_view text = window_.text();
  cut_off_ = false;
  if (const auto length = split_csv_row(text.substr(0, longest_row), separator_, cells_)) return *length;
  // A quote without its end, or the last line.
  const std::size_t end = text.find('\n');
  if (end != std::string_view::npos) {
    const std::string_view line = text.substr(0, end);
    cells_.assign(1, std::string(line.substr(0, longest_row)));
    return end + 1;
  }
  if (text.size() > longest_row) cells_.assign(1, std::string(text.substr(0, longest_row)));
  cut_off_ = true;
  return std::min(text.size(), longest_row);
}

bool CsvRows::next() {
  window_.drop(last_);
  last_ = 0;
  if (window_.text().empty() && !window_.more()) return false;
  offset_ = window_.offset();
  last_ = split_row();
  for (std::string& cell : cells_)
    if (std::ranges::any_of(cell, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
      cell = valid_utf8(cell);
  line_ = window_.text().substr(0, last_);
  while (line_.ends_with('\n') || line_.ends_with('\r')) line_.remove_suffix(1);
  return true;
}

}  // namespace warpwalk::trace
