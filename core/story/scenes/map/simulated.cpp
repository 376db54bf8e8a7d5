// The simulated GPU's counters of the followed kernel, beside those of a real GPU; or the counters of a stand-in alone.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/run/launch/cycle_figures.h"
#include "core/run/replay/history.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/scenes/map/map.h"

namespace warpwalk::story {
namespace {

constexpr CountedGroup groups[] = {CountedGroup::instructions, CountedGroup::global, CountedGroup::shared};

bool is_measured(const trace::NamedCounter& counter) {
  return counter.origin == trace::Origin::measured && counter.value >= 0;
}

std::string error_text(double share) {
  const double percent = 100 * share;
  if (percent == 0) return "0 %";
  if (std::abs(percent) < 0.01) return with_marks(percent < 0 ? "> −0.01 %" : "< 0.01 %");
  std::string text = with_marks(fmt::format("{:+.{}f} %", percent, std::abs(percent) < 10 ? 2 : 1));
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

/// The model's error. The error of a percentage is a difference.
Figure error_of(const Narration& n, double measured, double simulated, Unit unit) {
  if (unit == Unit::percent) {
    std::string points = fmt::format("{:+.1f}", simulated - measured);
    if (points == "+0.0" || points == "-0.0") points = "0";
    if (points.front() == '-') points.replace(0, 1, "−");
    return Figure::derived(n.text("map.simulated", "points", {{"n", with_marks(points)}}),
                           n.text("map.simulated", "points_formula"));
  }
  return Figure::derived(error_text(measured == 0 ? 0 : (simulated - measured) / measured),
                         n.text("map.simulated", "error_formula"));
}

// The error as a share; of percentages, of 100 points.
double off_by(double measured, double simulated, Unit unit) {
  if (unit == Unit::percent) return (simulated - measured) / 100;
  return measured == 0 ? 0 : (simulated - measured) / measured;
}

/// The recorded time beside the simulated one; nothing if either is missing.
std::optional<ComparedLine> compared_time(const SceneInput& input, double shown) {
  const HistoryView& view = input.history;
  if (view.timing == nullptr || is_untimed(input.trace, input.walk)) return {};
  const auto measured = static_cast<double>(input.trace.slices.duration[input.walk.kernel]);
  if (input.trace.records.time_origin() != Origin::measured || !(measured > 0)) return {};
  const double simulated = 1e9 * run::seconds_of(view.history->device, view.timing->cycles);
  const Narration& n = input.narration;
  return ComparedLine{"time",
                      schedule_label(n, n.text("counted.time", "label"), view.timing->estimated),
                      n.text("counted.time", "note"),
                      Figure::recorded(measured, Unit::nanoseconds, Origin::measured),
                      Figure::recorded(simulated, Unit::nanoseconds, Origin::simulated),
                      error_of(n, measured, simulated, Unit::nanoseconds),
                      off_by(measured, simulated, Unit::nanoseconds),
                      shown};
}

/// Measured counters, each with the simulated one of the same name.
std::vector<ComparedLine> compared_lines(const SceneInput& input, double shown) {
  std::vector<ComparedLine> lines;
  const trace::KernelRecord* record = kernel_record(input.trace, input.walk);
  if (record == nullptr) return lines;
  const Narration& n = input.narration;
  for (const trace::NamedCounter& simulated : simulated_counters(input.history)) {
    const auto real = std::find_if(record->counters.begin(), record->counters.end(), [&](const auto& counter) {
      return is_measured(counter) && counter.name == simulated.name;
    });
    if (real == record->counters.end()) continue;
    const std::string section = fmt::format("counted.{}", simulated.name);
    const Unit unit = unit_of_counter(simulated.name);
    ComparedLine& line = lines.emplace_back(ComparedLine{simulated.name,
                                                         n.text(section, "label"),
                                                         n.text(section, "note"),
                                                         Figure::recorded(real->value, unit, real->origin),
                                                         Figure::recorded(simulated.value, unit, simulated.origin),
                                                         {},
                                                         off_by(real->value, simulated.value, unit),
                                                         shown});
    if (real->value != 0 || simulated.value == 0 || unit == Unit::percent)
      line.error = error_of(n, real->value, simulated.value, unit);
  }
  for (ComparedLine& line : lines)
    if (input.history.timing != nullptr && (line.key.starts_with("cycles") || line.key == "achieved_occupancy_pct"))
      line.label = schedule_label(n, std::move(line.label), input.history.timing->estimated);
  if (auto time = compared_time(input, shown); time && !lines.empty()) lines.insert(lines.begin(), std::move(*time));
  // Time and cycles first: they are what the counts explain.
  std::stable_partition(lines.begin(), lines.end(),
                        [](const ComparedLine& line) { return line.key == "time" || line.key == "cycles"; });
  return lines;
}

// The table has all counts; the facts show how many agree, and the errors of the others.
void add_agreement(const Narration& n, const std::vector<ComparedLine>& lines, Stage& stage) {
  const auto differs = [](const ComparedLine& line) { return line.error && !line.error->text().starts_with("0 "); };
  std::size_t compared = 0, equal = 0;
  for (const ComparedLine& line : lines) {
    compared += line.error.has_value();
    equal += line.error && !differs(line);
  }
  stage.facts.push_back({n.text("map.simulated", "equal"),
                         Figure::derived(n.text("map.simulated", "equal_value",
                                                {{"n", std::to_string(equal)}, {"of", std::to_string(compared)}}),
                                         n.text("map.simulated", "equal_formula"))});
  for (const ComparedLine& line : lines)
    if (differs(line))
      stage.facts.push_back({n.text("map.simulated", "error", {{"counter", line.label}}), *line.error});
}

// First the receipt fades out, then the counters appear: how much of it is left.
double receipt_left(const MapSubject& s) { return 1 - part(s.input.moment.phase, 0, 0.25); }

// The simulated counters, beside the measured ones if there are any.
void add_simulated(const MapSubject& s, ReceiptPicture& picture) {
  const Narration& n = s.input.narration;
  const HistoryView& view = s.input.history;
  const double coming = eased(part(s.input.moment.phase, 0.25, 1));
  picture.compared = compared_lines(s.input, coming);
  picture.head_receipt = n.text("map.head", "counted");
  if (!picture.compared.empty()) {
    picture.head_measured = n.text("map.head", "measured");
    picture.head_simulated = n.text("map.head", "simulated");
    picture.head_error = n.text("map.head", "error");
    return;
  }
  picture.head_time = n.text("map.head", "count");
  picture.head_share = n.text("map.head", "each");
  Narration::Values values;
  add_history_values(s.input, values);
  picture.banner = n.text("history", view.stand_in() ? "stand_in" : "own", values);
  const std::vector<trace::NamedCounter> counters = simulated_counters(view);
  for (const CountedGroup group : groups)
    for (CountedLine& line : counted_lines(n, counters, group)) {
      line.shown = coming;
      picture.counted.push_back(std::move(line));
    }
}

}  // namespace

bool ends_simulated(const Trace& trace, const Walk& walk) {
  if (kernel_detail(trace, walk) == nullptr) return false;
  const trace::KernelRecord* record = kernel_record(trace, walk);
  return record == nullptr || record->counters.empty() ||
         std::any_of(record->counters.begin(), record->counters.end(), is_measured);
}

std::string simulated_section(const MapSubject& s) {
  switch (s.input.history.state) {
    case HistoryView::State::none: return "simulated.unasked";
    case HistoryView::State::building: return "simulated.building";
    case HistoryView::State::impossible: return "simulated.impossible";
    case HistoryView::State::ready: break;
  }
  if (s.input.history.stand_in()) return "simulated.stand_in";
  return compared_lines(s.input, 1).empty() ? "simulated" : "simulated.beside";
}

void simulated_facts(const MapSubject& s, FactWriter& facts) {
  const Narration& n = s.input.narration;
  const HistoryView& view = s.input.history;
  if (view.state == HistoryView::State::impossible)
    facts.stage().missing.push_back(n.text("missing", "history", {{"reason", history_reason(s.input)}}));
  if (view.state != HistoryView::State::ready || receipt_left(s) > 0) return;
  if (view.stand_in()) facts.named(n.text("history", "fact"), Figure::explained(stand_in_text(n, *view.history)));
  if (const std::vector<ComparedLine> compared = compared_lines(s.input, 1); !compared.empty()) {
    add_agreement(n, compared, facts.stage());
    if (!view.no_timing.empty())
      facts.stage().missing.push_back(n.text("map.simulated", "no_cycles", {{"reason", view.no_timing}}));
  }
  add_replay_facts(s.input, facts.stage());
}

void simulated_picture(const MapSubject& s, Stage& stage) {
  ReceiptPicture picture = s.picture;
  const double left = receipt_left(s);
  for (ReceiptLine& line : picture.lines) line.shown *= left;
  picture.total_shown = picture.total ? left : 0;
  const bool ready = s.input.history.state == HistoryView::State::ready;
  if (ready)
    for (Station& station : picture.stations) station.task.clear();
  if (left == 0) picture.counted.clear();
  if (left == 0 && ready) add_simulated(s, picture);
  show_receipt(std::move(picture), stage);
}

}  // namespace warpwalk::story
