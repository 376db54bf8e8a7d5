// Lab: the followed kernel as the Kernel lab opens it, and two launches side by side. The page on which it is edited
// belongs to the window (app/pages/kernel_lab/kernel_lab.h).
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/base/result.h"
#include "core/run/kernel_lab/compare_runs.h"
#include "core/run/kernel_lab/draft.h"
#include "core/run/replay/history.h"
#include "core/story/labs/kernel/kernel_figures.h"
#include "core/story/labs/lab.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view kernel_lab_name = "lab/kernel";
constexpr std::string_view kernel_lab_words = "lab/kernel.word";
constexpr std::size_t max_lines = 400;  // of a text on the stage

/// A launch of the trace that has counters.
struct Counted {
  const trace::KernelRecord* record;
  std::string label;
};

bool has_figures(const trace::KernelRecord* record) { return record != nullptr && !record->counters.empty(); }

/// All launches with counters, the followed one first and then in the order of the trace.
std::vector<Counted> counted_launches(const SceneInput& input) {
  std::vector<Counted> launches;
  std::size_t first = 0;
  for (const SliceId kernel : input.trace.kernel_order) {
    Walk walk;
    walk.kernel = kernel;
    const trace::KernelRecord* const record = kernel_record(input.trace, walk);
    if (!has_figures(record)) continue;
    if (kernel == input.walk.kernel) first = launches.size();
    launches.push_back({record, fmt::format("{} {}", analysis::short_kernel_name(record->entry), launches.size() + 1)});
  }
  std::rotate(launches.begin(), launches.begin() + static_cast<std::ptrdiff_t>(first), launches.end());
  return launches;
}

/// The figures of a record under the names of reports; cycles first.
std::vector<run::RunFigure> figures_of(const trace::KernelRecord& record) {
  std::vector<run::RunFigure> figures;
  for (const trace::NamedCounter& counter : record.counters) figures.push_back({counter.name, counter.value});
  std::stable_partition(figures.begin(), figures.end(),
                        [](const run::RunFigure& one) { return one.name.starts_with("cycles"); });
  if (record.registers > 0) figures.push_back({"registers", static_cast<double>(record.registers)});
  return figures;
}

std::vector<std::string> source_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < max_lines) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::string& shown = lines.emplace_back();
    for (const char c : line) shown += c == '\t' ? "  " : std::string(1, c);
  }
  return lines;
}

std::string word(const SceneInput& input, std::string_view key) { return input.narration.text(kernel_lab_words, key); }

/// The draft of the followed kernel, or of its stand-in.
base::Result<run::KernelDraft> draft_of(const SceneInput& input) {
  auto own = run::draft_of_kernel(input.trace, input.walk.kernel);
  if (own || !input.history.stand_in()) return own;
  return run::draft_of_history(*input.history.history);
}

Panel code_panel(const SceneInput& input, const run::KernelDraft& draft, bool stand_in) {
  CodePicture code;
  if (stand_in)
    code.banner = input.narration.text(kernel_lab_words, "stand_in",
                                       {{"stand_in", stand_in_text(input.narration, *input.history.history)}});
  const bool cuda = draft.language == run::DraftLanguage::cuda;
  code.columns = {text_column(draft.file_name(), source_lines(draft.source), 0, 1.7),
                  text_column(word(input, "launch"), source_lines(draft.launch), 0)};
  code.columns[0].note = word(input, cuda ? "cuda" : "ptx");
  for (CodePicture::Column& column : code.columns)
    for (CodeLine& line : column.window.lines) line.source_line = 0;  // the two texts have nothing in common
  return {{}, 1, std::move(code)};
}

/// A table of the figures, or of the warp-cycles by reason: the rows are tall enough only side by side.
Panel figures_panel(const SceneInput& input, const trace::KernelRecord& record, bool stalls) {
  TablePicture table;
  table.columns = {{word(input, stalls ? "stalls" : "figure"), 3}, {word(input, "value"), 2, true}};
  for (const run::RunFigure& figure : figures_of(record)) {
    if (is_stall(figure.name) != stalls) continue;
    const auto counter = std::ranges::find(record.counters, figure.name, &trace::NamedCounter::name);
    const Origin origin = counter == record.counters.end() ? input.trace.records.time_origin() : counter->origin;
    table.rows.push_back({{word_cell(lab_stall_name(input.narration, figure.name)),
                           figure_cell(Figure::recorded(lab_number(figure.value), origin))},
                          figure.name == "cycles"});
  }
  return {{}, 1, std::move(table)};
}

Panel comparison_panel(const SceneInput& input, const Counted& a, const Counted& b, bool stalls) {
  TablePicture table;
  table.columns = {{word(input, stalls ? "stalls" : "figure"), 4},
                   {a.label, 3, true},
                   {b.label, 3, true},
                   {word(input, "difference"), 3, true},
                   {word(input, "ratio"), 2, true}};
  const auto cell = [](const std::optional<double>& value) { return word_cell(value ? lab_number(*value) : "–"); };
  for (run::ComparedFigure row : run::compare_figures(figures_of(*a.record), figures_of(*b.record))) {
    if (is_stall(row.name) != stalls) continue;
    if (stalls && a.record->cycles >= 0 && !row.a) row.a = 0;  // a record leaves out reasons without cycles
    if (stalls && b.record->cycles >= 0 && !row.b) row.b = 0;
    const auto difference = row.difference(), ratio = row.ratio();
    table.rows.push_back({{word_cell(lab_stall_name(input.narration, row.name)), cell(row.a), cell(row.b),
                           word_cell(difference ? lab_difference(*difference) : "–"),
                           word_cell(ratio ? fmt::format("{:.2f}", *ratio) : "–")},
                          row.name == "cycles"});
  }
  return {{}, 1, std::move(table)};
}

}  // namespace

std::vector<Beat> kernel_lab_beats(const Trace&, const Walk&) {
  return {{"code", 0, true}, {"figures", 0}, {"compare", 0}};
}

Stage kernel_lab(const SceneInput& input) {
  std::vector<Beat> beats = kernel_lab_beats(input.trace, input.walk);
  Beat& shown = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = shown.key;
  const auto opened = draft_of(input);
  const run::KernelDraft* const draft = opened ? &*opened : nullptr;
  const trace::KernelRecord* const record = kernel_record(input.trace, input.walk);
  const std::vector<Counted> launches = counted_launches(input);
  const bool comparable = has_figures(record) && launches.size() > 1;
  ControlSet controls(input, kernel_lab_name);
  std::size_t other = 0;
  if (comparable && beat == "compare") {
    std::vector<std::string> labels;
    for (std::size_t i = 1; i < launches.size(); ++i) labels.push_back(launches[i].label);
    other = 1 + controls.choice("other", labels, 0, "first");
  }
  if (beat == "code" && draft == nullptr) shown.key = "no_code";
  if (beat == "figures" && !has_figures(record)) shown.key = "no_figures";
  if (beat == "compare" && !comparable) shown.key = "alone";

  const auto lines = static_cast<std::int64_t>(draft == nullptr ? 0 : std::ranges::count(draft->source, '\n'));
  Narration::Values values = {{"lines", count_text(input.narration, "line", lines)}};
  if (record != nullptr) values["kernel"] = analysis::short_kernel_name(record->entry);
  if (draft != nullptr) values["file"] = draft->file_name();
  if (other != 0) values["other"] = launches[other].label;
  Stage stage = common_stage(input, kernel_lab_name, beats, values, "front_end");
  FactWriter facts(input, values, stage);
  if (draft != nullptr && record != nullptr) {
    facts.fact("language", Figure::recorded(word(input, draft->language == run::DraftLanguage::cuda ? "cuda" : "ptx"),
                                            input.trace.records.time_origin()));
    facts.counted("lines", static_cast<std::size_t>(lines));
    facts.counted("arguments", record->arguments.size());
  }
  if (record != nullptr && record->cycles >= 0)
    facts.fact("cycles", Figure::recorded(static_cast<double>(record->cycles), Unit::count, record->cycles_origin));
  if (other != 0 && record->cycles > 0 && launches[other].record->cycles > 0)
    facts.derived("ratio", fmt::format("{:.2f}", static_cast<double>(launches[other].record->cycles) /
                                                     static_cast<double>(record->cycles)));
  Panels panels;
  if (shown.key == "code") panels.rows.push_back({1, {code_panel(input, *draft, input.history.stand_in())}});
  if (shown.key == "figures")
    panels.rows = {{1, {figures_panel(input, *record, false), figures_panel(input, *record, true)}}};
  if (shown.key == "compare")
    panels.rows = {{1,
                    {comparison_panel(input, launches.front(), launches[other], false),
                     comparison_panel(input, launches.front(), launches[other], true)}}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
  stage.controls = controls.take();
  return stage;
}

}  // namespace warpwalk::story
