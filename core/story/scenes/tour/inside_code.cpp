#include "core/story/scenes/tour/inside_code.h"

#include <string_view>

#include <fmt/format.h>

#include "core/story/facts/code/source_lines.h"
#include "core/story/facts/simulated/line_values.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t lines_shown = 7;

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
  const auto names = sum_names(line);
  if (!names) return found;
  found.sum = names->sum;
  found.a = names->a;
  found.b = names->b;
  found.line = stripped(line);
  for (std::size_t i = 0; i < column->window.lines.size(); ++i)
    found.around.push_back({column->window.lines[i].text, i == column->window.focus});
  return found;
}

}  // namespace warpwalk::story
