// What each line of the kernel's code cost in the simulated launch.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/run/replay/time_travel.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/scenes/translator/translator.h"
#include "core/story/stage/control_set.h"

namespace warpwalk::story {
namespace {

using run::CostsByLine;
using run::LineCosts;
using run::LineMetric;

constexpr std::size_t max_cost_lines = 20000;  // of one text
constexpr std::size_t max_cost_rows = 96;      // around the chosen line
constexpr std::size_t max_ranks = 200;
constexpr std::size_t max_tip_reasons = 5;

/// The words of the metrics, by LineMetric.
constexpr std::array<std::string_view, run::line_metrics> metric_names = {"stall", "excess", "conflicts",
                                                                          "instructions"};

/// A text of the kernel with the costs of its lines.
struct CostedText {
  CodeKind kind = CodeKind::source;
  CodeWindow window;
  CostsByLine costs;
  std::vector<LineMetric> metrics;  ///< of which some line has a value
};

std::string line_cost_word(const SceneInput& input, std::string_view key, const Narration::Values& values = {}) {
  return translator_word(input, "costs", key, values);
}

std::string grouped(std::uint64_t value) { return with_thousands(static_cast<std::int64_t>(value)); }

/// The texts in which some line has costs.
std::vector<CostedText> costed_texts(const trace::Module& module, std::string_view entry,
                                     const run::TimeTravel& travel) {
  const std::vector<LineCosts> instructions = run::instruction_costs(travel.timing());
  CodeView view = code_view(module, entry, no_line, max_cost_lines);
  std::vector<CostedText> texts;
  const auto add = [&](CodeKind kind, CodeWindow& window, run::CostText text) {
    CostedText one{
        kind, std::move(window), costs_by_line(travel.program(), instructions, text, module.source_file), {}};
    for (std::size_t m = 0; m < run::line_metrics; ++m) {
      const auto metric = static_cast<LineMetric>(m);
      const bool shown = std::ranges::any_of(one.window.lines, [&](const CodeLine& line) {
        const auto at = one.costs.lines.find(static_cast<std::uint64_t>(line.number));
        return at != one.costs.lines.end() && metric_value(at->second, metric) > 0;
      });
      if (shown) one.metrics.push_back(metric);
    }
    if (!one.metrics.empty()) texts.push_back(std::move(one));
  };
  add(CodeKind::source, view.source, run::CostText::source);
  add(CodeKind::ptx, view.ptx, run::CostText::ptx);
  add(CodeKind::sass, view.sass, run::CostText::machine_code);
  return texts;
}

/// Moves the costs of lines that the text does not show, such as those of a called function, to `elsewhere`.
void keep_shown_lines(CostedText& text) {
  std::vector<std::uint64_t> shown;
  for (const CodeLine& line : text.window.lines) shown.push_back(static_cast<std::uint64_t>(line.number));
  std::ranges::sort(shown);
  std::erase_if(text.costs.lines, [&](const auto& one) {
    const bool here = std::ranges::binary_search(shown, one.first);
    if (!here) text.costs.elsewhere += one.second;
    return !here;
  });
}

LinesPane::Costs cost_cells(const LineCosts& costs) {
  LinesPane::Costs cells;
  const auto unless_zero = [](std::uint64_t value) { return value == 0 ? std::string() : grouped(value); };
  cells.instructions = unless_zero(costs.instructions);
  cells.stall = unless_zero(costs.stalled());
  if (const auto reason = costs.main_reason()) cells.reason = gpu::name_of(*reason);
  cells.sectors = unless_zero(costs.accesses.global_sectors);
  if (costs.excess_sectors() > 0) cells.sectors += " / " + grouped(costs.accesses.ideal_sectors);
  cells.conflicts = unless_zero(costs.accesses.bank_conflicts);
  return cells;
}

double per_request(std::uint64_t amount, std::uint64_t requests) {
  return static_cast<double>(amount) / static_cast<double>(requests);
}

/// The reasons for which warps waited at a line, the main one first, and what its requests needed.
std::string cost_tip(const SceneInput& input, const LineCosts& costs) {
  std::string tip;
  const auto add = [&](const std::string& line) { tip += (tip.empty() ? "" : "\n") + line; };
  std::vector<std::size_t> reasons;
  for (std::size_t r = 0; r < costs.stalls.size(); ++r)
    if (costs.stalls[r] > 0 && static_cast<gpu::StallReason>(r) != gpu::StallReason::selected) reasons.push_back(r);
  std::ranges::stable_sort(reasons, std::ranges::greater{}, [&](std::size_t r) { return costs.stalls[r]; });
  reasons.resize(std::min(reasons.size(), max_tip_reasons));
  for (const std::size_t r : reasons) {
    const std::string_view name = gpu::name_of(static_cast<gpu::StallReason>(r));
    add(fmt::format("{} {}: {}", name, grouped(costs.stalls[r]), input.narration.text("schedulers.reason", name)));
  }
  const gpu::AccessCounts& accesses = costs.accesses;
  if (accesses.global_requests > 0)
    add(line_cost_word(
        input, "tip_global",
        {{"requests", grouped(accesses.global_requests)},
         {"each", with_marks(fmt::format("{:.1f}", per_request(accesses.global_sectors, accesses.global_requests)))},
         {"ideal", with_marks(fmt::format("{:.1f}", per_request(accesses.ideal_sectors, accesses.global_requests)))}}));
  if (accesses.shared_requests > 0)
    add(line_cost_word(input, "tip_shared",
                       {{"requests", grouped(accesses.shared_requests)},
                        {"each", with_marks(fmt::format(
                                     "{:.1f}", per_request(accesses.shared_wavefronts, accesses.shared_requests)))}}));
  return tip;
}

std::string_view text_key(CodeKind kind) {
  return kind == CodeKind::source ? "source" : kind == CodeKind::ptx ? "ptx" : "sass";
}

/// The rows around the chosen line, which is the hottest one of this rank.
void add_cost_rows(const SceneInput& input, const CostedText& text, LineMetric metric,
                   const std::vector<std::uint64_t>& ranked, std::size_t chosen_rank, LinesPane& pane) {
  const std::vector<CodeLine>& lines = text.window.lines;
  const std::uint64_t chosen = ranked[chosen_rank - 1];
  const auto at = std::ranges::find(lines, static_cast<std::int64_t>(chosen), &CodeLine::number);
  const auto focus = static_cast<std::size_t>(at - lines.begin());
  const std::size_t from = std::min(focus - std::min(focus, max_cost_rows / 2),
                                    lines.size() > max_cost_rows ? lines.size() - max_cost_rows : 0);
  const auto most = static_cast<double>(metric_value(text.costs.lines.at(ranked.front()), metric));
  pane.focus = focus - from;
  for (std::size_t i = from; i < std::min(from + max_cost_rows, lines.size()); ++i) {
    const CodeLine& line = lines[i];
    LinesPane::Row row;
    row.number = number_text(text.kind, line.number);
    row.text = line.text;
    row.source_line = line.source_line;
    row.chosen = i == focus;
    row.fellow = !row.chosen && line.source_line > 0 && line.source_line == at->source_line;
    const auto number = static_cast<std::uint64_t>(line.number);
    if (const auto found = text.costs.lines.find(number); found != text.costs.lines.end()) {
      row.costs = cost_cells(found->second);
      row.heat = static_cast<double>(metric_value(found->second, metric)) / most;
      row.tip = cost_tip(input, found->second);
      if (const auto rank = std::ranges::find(ranked, number); rank != ranked.end())
        row.rank = rank - ranked.begin() + 1;
    }
    pane.rows.push_back(std::move(row));
  }
}

}  // namespace

std::string LinesPane::Costs::text(const std::vector<std::pair<std::string, std::string>>& columns) const {
  const std::string stalls = reason.empty() ? stall : stall + " (" + reason + ")";
  const std::array<const std::string*, 4> cells = {&instructions, &stalls, &sectors, &conflicts};
  std::string all;
  for (std::size_t c = 0; c < std::min(cells.size(), columns.size()); ++c)
    if (!cells[c]->empty()) all += (all.empty() ? "" : ", ") + columns[c].first + " " + *cells[c];
  return all;
}

std::optional<CostedLines> costed_lines(const SceneInput& input) {
  const HistoryView& view = input.history;
  const trace::Module* const module = module_of(input.trace, input.walk);
  const trace::KernelRecord* const record = kernel_record(input.trace, input.walk);
  const bool simulated = view.state == HistoryView::State::ready && view.travel != nullptr && !view.stand_in();
  if (!simulated || module == nullptr || record == nullptr) return {};
  std::vector<CostedText> texts = costed_texts(*module, record->entry, *view.travel);
  if (texts.empty()) return {};

  CostedLines lines;
  ControlSet controls(input, "translator");
  std::vector<std::string> names, metrics;
  for (const CostedText& one : texts) names.push_back(translator_word(input, "code", text_key(one.kind)));
  CostedText& text = texts[controls.choice("text", names, 0, "text_usual")];
  controls.last().resets = {"rank"};
  keep_shown_lines(text);
  for (const LineMetric metric : text.metrics)
    metrics.push_back(line_cost_word(input, metric_names[static_cast<std::size_t>(metric)]));
  const std::size_t ranked_by = controls.choice("metric", metrics, 0, "metric_usual");
  controls.last().resets = {"rank"};
  const LineMetric metric = text.metrics[ranked_by];
  std::vector<std::uint64_t> ranked = text.costs.hottest(metric);
  ranked.resize(std::min(ranked.size(), max_ranks));
  const auto rank = static_cast<std::size_t>(
      controls.slider("rank", steps_by(1, static_cast<double>(ranked.size()), 1), 1, "rank_usual"));
  controls.last().stepped = true;
  lines.controls = controls.take();

  lines.total = text.costs.total();
  lines.cut = view.travel->timing().cut;
  lines.cycles = view.travel->timing().cycles;
  const auto all = static_cast<double>(metric_value(lines.total, metric));
  const auto hot = static_cast<double>(metric_value(text.costs.lines.at(ranked[rank - 1]), metric));
  lines.line = number_text(text.kind, static_cast<std::int64_t>(ranked[rank - 1]));
  lines.metric = metrics[ranked_by];
  lines.percent = 100 * hot / all;

  LinesPane& pane = lines.pane;
  pane.name = names[static_cast<std::size_t>(&text - texts.data())];
  pane.note = line_cost_word(
      input, "note",
      {{"line", lines.line}, {"percent", fmt::format("{:.0f}", lines.percent)}, {"metric", lines.metric}});
  for (const std::string_view column : {"instructions", "stall", "sectors", "conflicts"})
    pane.columns.emplace_back(line_cost_word(input, column),
                              line_cost_word(input, std::string("about_").append(column)));
  add_cost_rows(input, text, metric, ranked, rank, pane);
  pane.elsewhere_name = line_cost_word(input, "elsewhere");
  pane.total_name = line_cost_word(input, "total");
  pane.elsewhere = cost_cells(text.costs.elsewhere);
  pane.total = cost_cells(lines.total);
  pane.ranks = static_cast<std::int64_t>(ranked.size());
  pane.next = line_cost_word(input, "next");
  pane.rank_control = "translator.rank";
  pane.line_control = "translator.line";
  return lines;
}

}  // namespace warpwalk::story
