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
#include "core/story/labs/lab_parts.h"

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
                           word_cell(ratio ? with_marks(fmt::format("{:.2f}", *ratio)) : "–")},
                          row.name == "cycles"});
  }
  return {{}, 1, std::move(table)};
}

// The followed kernel as a draft and as a record, and the launches that it can be compared with.
struct KernelLab {
  const SceneInput& input;
  ControlSet controls{input, kernel_lab_name};
  base::Result<run::KernelDraft> draft;
  const trace::KernelRecord* record = nullptr;
  std::vector<Counted> launches = {};  // only in the beat that compares
  std::size_t other = 0;               // index of the launch to compare with; 0: none

  explicit KernelLab(const SceneInput& in) : input(in), draft(draft_of(in)), record(kernel_record(in.trace, in.walk)) {}
  std::int64_t lines() const { return draft ? std::ranges::count(draft->source, '\n') : 0; }
};

KernelLab kernel_subject(const Here& here) { return KernelLab(here.input); }

KernelLab compared_subject(const Here& here) {
  KernelLab lab(here.input);
  lab.launches = counted_launches(here.input);
  if (!has_figures(lab.record) || lab.launches.size() < 2) return lab;
  std::vector<std::string> labels;
  for (std::size_t i = 1; i < lab.launches.size(); ++i) labels.push_back(lab.launches[i].label);
  lab.other = 1 + lab.controls.choice("other", labels, 0, "first");
  return lab;
}

Narration::Values kernel_values(const KernelLab& lab) {
  Narration::Values values = {{"lines", count_text(lab.input.narration, "line", lab.lines())}};
  if (lab.record != nullptr) values["kernel"] = analysis::short_kernel_name(lab.record->entry);
  if (lab.draft) values["file"] = lab.draft->file_name();
  if (lab.other != 0) values["other"] = lab.launches[lab.other].label;
  return values;
}

void kernel_facts(const KernelLab& lab, FactWriter& facts) {
  const trace::KernelRecord* const record = lab.record;
  if (record == nullptr) return;
  if (lab.draft) {
    const bool cuda = lab.draft->language == run::DraftLanguage::cuda;
    facts.fact("language",
               Figure::recorded(word(lab.input, cuda ? "cuda" : "ptx"), lab.input.trace.records.time_origin()));
    facts.counted("lines", static_cast<std::size_t>(lab.lines()));
    facts.counted("arguments", record->arguments.size());
  }
  if (record->cycles >= 0)
    facts.fact("cycles", Figure::recorded(static_cast<double>(record->cycles), Unit::count, record->cycles_origin));
  if (lab.other == 0) return;
  if (const std::int64_t other = lab.launches[lab.other].record->cycles; record->cycles > 0 && other > 0)
    facts.derived("ratio",
                  with_marks(fmt::format("{:.2f}", static_cast<double>(other) / static_cast<double>(record->cycles))));
}

PanelRows code_panels(const KernelLab& lab) {
  if (!lab.draft) return {};
  return {{1, {code_panel(lab.input, *lab.draft, lab.input.history.stand_in())}}};
}

PanelRows figures_panels(const KernelLab& lab) {
  if (!has_figures(lab.record)) return {};
  return {{1, {figures_panel(lab.input, *lab.record, false), figures_panel(lab.input, *lab.record, true)}}};
}

PanelRows compared_panels(const KernelLab& lab) {
  if (lab.other == 0) return {};
  const Counted &own = lab.launches.front(), &other = lab.launches[lab.other];
  return {{1, {comparison_panel(lab.input, own, other, false), comparison_panel(lab.input, own, other, true)}}};
}

constexpr Frame<KernelLab> kernel_frame = {
    .subject = kernel_subject, .stop = "front_end", .values = kernel_values, .facts = kernel_facts};
constexpr Frame<KernelLab> compared_frame = {.subject = compared_subject,
                                             .stop = "front_end",
                                             .values = kernel_values,
                                             .facts = kernel_facts,
                                             .complete = take_controls};

constexpr BeatOf<KernelLab> kernel_code_beat = {
    .key = "code",
    .needs = Needs::history,
    .section = [](const KernelLab& lab) -> std::string { return lab.draft ? "code" : "no_code"; },
    .panels = code_panels};
constexpr BeatOf<KernelLab> figures_beat = {
    .key = "figures",
    .section = [](const KernelLab& lab) -> std::string { return has_figures(lab.record) ? "figures" : "no_figures"; },
    .panels = figures_panels};
constexpr BeatOf<KernelLab> compare_beat = {
    .key = "compare",
    .section = [](const KernelLab& lab) -> std::string { return lab.other != 0 ? "compare" : "alone"; },
    .panels = compared_panels};

}  // namespace

const Contents& kernel_lab() {
  static const BeatTable table(kernel_lab_name,
                               {framed(kernel_frame, kernel_code_beat), framed(kernel_frame, figures_beat),
                                framed(compared_frame, compare_beat)});
  return table;
}

}  // namespace warpwalk::story
