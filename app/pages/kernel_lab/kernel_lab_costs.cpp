#include "app/pages/kernel_lab/kernel_lab_costs.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/run/kernel_lab/carried_lines.h"
#include "core/run/launch/line_costs.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/simulated/kernel_cycles.h"

namespace warpwalk::pages {
namespace {

using run::LineCosts;
using run::LineMetric;

// Narration of the translator, which shows the same figures.
constexpr std::string_view cost_words = "translator.costs";
constexpr std::array<std::string_view, run::line_metrics> column_words = {"stall", "sectors", "conflicts",
                                                                          "instructions"};  // by LineMetric
constexpr std::array<LineMetric, run::line_metrics> column_order = {LineMetric::instructions, LineMetric::stalls,
                                                                    LineMetric::sectors, LineMetric::conflicts};

std::string count_text(std::uint64_t value) { return story::with_thousands(static_cast<std::int64_t>(value)); }

std::string cost_cell(const LineCosts& costs, LineMetric column) {
  const std::uint64_t value =
      column == LineMetric::sectors ? costs.accesses.global_sectors : metric_value(costs, column);
  if (value == 0) return {};
  std::string text = count_text(value);
  if (column == LineMetric::sectors && costs.excess_sectors() > 0)
    text += " / " + count_text(costs.accesses.ideal_sectors);
  return text;
}

/// Each figure with its name, the main reason for waiting first.
std::string cost_tip(const draw::Ui& ui, const LineCosts& costs) {
  std::string tip;
  for (const LineMetric column : column_order) {
    const std::string cell = cost_cell(costs, column);
    if (cell.empty()) continue;
    tip += fmt::format("{}{}: {}", tip.empty() ? "" : "\n",
                       ui.word(cost_words, column_words[static_cast<std::size_t>(column)]), cell);
    const auto reason = costs.main_reason();
    if (column == LineMetric::stalls && reason) tip += ", " + story::stall_word(ui.words(), gpu::name_of(*reason));
  }
  return tip;
}

/// The lines of the source as it is typed, from 1 on, in the text that ran; 0: not in it.
std::vector<std::uint32_t> ran_lines(const LabVersion& version) {
  return run::carried_lines(version.ran.source, version.source.text());
}

}  // namespace

std::string metric_word(const draw::Ui& ui, run::LineMetric metric) {
  return ui.word(cost_words, metric == LineMetric::sectors ? "excess" : column_words[static_cast<std::size_t>(metric)]);
}

EditorCosts version_costs(const draw::Ui& ui, const KernelLabState& state, const LabVersion& version, bool wide) {
  EditorCosts shown;
  if (version.run == nullptr || version.run->costs.lines.empty()) return shown;
  const run::CostsByLine& costs = version.run->costs;
  std::vector<LineMetric> metrics(column_order.begin(), column_order.end());
  if (!wide) metrics = {state.metric};
  for (const LineMetric column : metrics)
    shown.columns.push_back(ui.word(cost_words, column_words[static_cast<std::size_t>(column)]));
  shown.outdated = !version.up_to_date();
  const std::vector<std::uint64_t> ranked = costs.hottest(state.metric);
  const double most =
      ranked.empty() ? 1 : static_cast<double>(metric_value(costs.lines.at(ranked.front()), state.metric));
  const std::vector<std::uint32_t> lines = ran_lines(version);
  for (std::uint32_t number = 1; number < lines.size(); ++number) {
    const auto found = costs.lines.find(lines[number]);
    if (lines[number] == 0 || found == costs.lines.end()) continue;
    EditorCosts::Line& line = shown.lines[number];
    for (const LineMetric column : metrics) line.cells.push_back(cost_cell(found->second, column));
    line.heat = static_cast<double>(metric_value(found->second, state.metric)) / most;
    line.hottest = !ranked.empty() && ranked.front() == lines[number];
    line.tip = cost_tip(ui, found->second);
    if (shown.outdated) line.tip += "\n" + ui.word("kernel_lab", "stale");
  }
  return shown;
}

void next_metric(KernelLabState& state) {
  const LabVersion& version = state.version();
  for (std::size_t step = 1; step <= run::line_metrics; ++step) {
    const auto metric = static_cast<LineMetric>((static_cast<std::size_t>(state.metric) + step) % run::line_metrics);
    if (version.run != nullptr && version.run->costs.hottest(metric).empty()) continue;
    state.metric = metric;
    return;
  }
}

void go_to_next_hottest(KernelLabState& state) {
  LabVersion& version = state.version();
  if (version.run == nullptr) return;
  const std::vector<std::uint32_t> lines = ran_lines(version);
  std::vector<std::uint32_t> targets;  // lines of the text as it is typed, the hottest first
  for (const std::uint64_t ran : version.run->costs.hottest(state.metric))
    if (const auto at = std::find(lines.begin() + 1, lines.end(), static_cast<std::uint32_t>(ran)); at != lines.end())
      targets.push_back(static_cast<std::uint32_t>(at - lines.begin()));
  if (targets.empty()) return;
  draw::TextEditor& editor = version.source;
  const auto caret = static_cast<std::uint32_t>(editor.lines().line_of(editor.caret()) + 1);
  const auto here = std::ranges::find(targets, caret);
  const bool last = here == targets.end() || here + 1 == targets.end();
  const std::size_t number = (last ? targets.front() : *(here + 1)) - 1;
  editor.go(editor.lines().start(number), false);
  constexpr std::size_t lines_above = 5;
  editor.top = number > lines_above ? number - lines_above : 0;
  state.memory.focus = fmt::format("lab.source.{}", state.active);
}

}  // namespace warpwalk::pages
