#include "core/story/scenes/tour/inside_code.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "core/story/facts/code/source_lines.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t lines_shown = 7;

std::string_view stripped(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && (blank(text.back()) || text.back() == ';')) text.remove_suffix(1);
  return text;
}

std::string_view last_name(std::string_view text) {
  text = stripped(text);
  std::size_t begin = text.size();
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '_'))
    --begin;
  return text.substr(begin);
}

// `sum += a * b;` with any names. False if the line is not of this form.
bool read_names(std::string_view line, SumLine& names) {
  const std::size_t adds = line.find("+="), end = line.find(';', adds == std::string_view::npos ? 0 : adds);
  if (adds == std::string_view::npos) return false;
  const std::string_view product = line.substr(adds + 2, end == std::string_view::npos ? end : end - adds - 2);
  const std::size_t times = product.find(" * ");
  if (times == std::string_view::npos || product.find(" * ", times + 1) != std::string_view::npos) return false;
  names.sum = last_name(line.substr(0, adds));
  names.a = stripped(product.substr(0, times));
  names.b = stripped(product.substr(times + 3));
  return !names.sum.empty() && !names.a.empty() && !names.b.empty();
}

}  // namespace

SumLine sum_line(const Tour& s) {
  SumLine found{
      "sum += a * b", "sum", fmt::format("a[{}, k]", s.number.at.row), fmt::format("b[k, {}]", s.number.at.column), {}};
  const HistoryView& history = s.input.history;
  if (history.travel == nullptr || history.trail == nullptr || history.history == nullptr || !history.own())
    return found;
  const std::vector<PartialSum> sums = partial_sums(s.number, *history.trail);
  if (sums.empty()) return found;
  const auto column = source_column(s.input.narration, *history.travel, *history.history,
                                    history.trail->origin.steps[sums.front().step].instruction, lines_shown);
  if (!column || column->window.focus >= column->window.lines.size()) return found;
  const std::string& line = column->window.lines[column->window.focus].text;
  if (!read_names(line, found)) return found;
  found.line = stripped(line);
  for (std::size_t i = 0; i < column->window.lines.size(); ++i)
    found.around.push_back({column->window.lines[i].text, i == column->window.focus});
  return found;
}

}  // namespace warpwalk::story
