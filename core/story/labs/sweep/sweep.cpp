// Lab: a launch on many descriptions of GPUs, cycles over parameters.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/lab_parts.h"
#include "core/story/labs/sweep/sweep_data.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view sweep_name = "lab/sweep", sweep_words = "lab/sweep.word";

// The launch and the parameter that are looked at.
struct SweepLab {
  const SceneInput& input;
  Sweep sweep;
  ControlSet controls;
  std::size_t launch = 0;
  std::string parameter;

  explicit SweepLab(const SceneInput& in) : input(in), sweep(sweep_of(in.trace)), controls(in, sweep_name) {
    if (sweep.empty()) return;
    std::vector<std::string> names, parameters;
    for (const SweptLaunch& one : sweep.launches) names.push_back(one.name);
    launch = controls.choice("launch", names, 0, "first");
    // The parameter on which the launch depends most comes first.
    for (const Sensitivity& one : here().sensitivity)
      if (here().points.contains(one.parameter)) parameters.push_back(one.parameter);
    for (const auto& [name, points] : here().points)
      if (std::ranges::find(parameters, name) == parameters.end()) parameters.push_back(name);
    parameter = parameters[controls.choice("parameter", parameters, 0, "strongest")];
  }

  const SweptLaunch& here() const { return sweep.launches[launch]; }
  const std::vector<SweptPoint>& points() const { return here().points.at(parameter); }
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(sweep_words, key, values);
  }
  std::string unit() const {
    const auto at = sweep.units.find(parameter);
    return at == sweep.units.end() ? std::string() : at->second;
  }
};

std::string cycles_word(double cycles) { return with_thousands(std::llround(std::min(cycles, 1e15))); }

std::string swept_value(double value) {
  return value == std::round(value) && std::abs(value) < 1e15 ? with_thousands(std::llround(value))
                                                              : fmt::format("{:.4g}", value);
}

// From a little below the least value to a little above the largest one, with a tick at each of a few values.
ScatterAxis swept_axis(std::string label, std::vector<double> values, std::string (*text)(double)) {
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  const double least = values.front(), most = values.back();
  ScatterAxis axis;
  axis.label = std::move(label);
  axis.logarithmic = least > 0 && most / least > 4;
  const double room = most > least ? (most - least) / 12 : std::max(1.0, std::abs(most) / 4);
  axis.from = axis.logarithmic ? least / 1.25 : least - room;
  axis.to = axis.logarithmic ? most * 1.25 : most + room;
  constexpr std::size_t most_ticks = 7;
  const std::size_t every = (values.size() + most_ticks - 1) / most_ticks;
  for (std::size_t i = 0; i < values.size(); i += every) axis.ticks.emplace_back(values[i], text(values[i]));
  return axis;
}

// The same with round numbers, for values that are many and close.
ScatterAxis round_axis(std::string label, double least, double most, std::string (*text)(double)) {
  ScatterAxis axis;
  axis.label = std::move(label);
  const double span = std::max(most - least, std::abs(most) / 20 + 1);
  const double power = std::pow(10, std::floor(std::log10(span / 4)));
  const double wanted = span / 4 / power, step = power * (wanted > 5 ? 10 : wanted > 2 ? 5 : wanted > 1 ? 2 : 1);
  axis.from = std::floor((least - span / 12) / step) * step;
  axis.to = std::ceil((most + span / 12) / step) * step;
  for (double at = axis.from; at <= axis.to + step / 2; at += step) axis.ticks.emplace_back(at, text(at));
  return axis;
}

PanelRows pareto_panels(const SweepLab& lab) {
  ScatterPicture picture;
  picture.groups = {
      {lab.word("others"), Tone::quiet}, {lab.word("front"), Tone::work}, {lab.word("base"), Tone::shared}};
  std::vector<double> values;
  double least = lab.points().front().cycles, most = least;
  std::vector<const SweptPoint*> front;
  const double base = lab.here().sensitivity.empty() ? 0 : [&] {
    for (const Sensitivity& one : lab.here().sensitivity)
      if (one.parameter == lab.parameter) return one.base;
    return 0.0;
  }();
  for (const SweptPoint& point : lab.points()) {
    values.push_back(point.value);
    least = std::min(least, point.cycles);
    most = std::max(most, point.cycles);
    const bool is_base = point.gpu == lab.sweep.base;
    const std::string text = lab.word(
        "point", {{"value", swept_value(point.value)}, {"unit", lab.unit()}, {"cycles", cycles_word(point.cycles)}});
    picture.points.push_back({point.value, point.cycles,
                              is_base       ? 2u
                              : point.front ? 1u
                                            : 0u,
                              point.gpu, text, is_base});
    if (point.front) front.push_back(&point);
  }
  values.push_back(base > 0 ? base : values.front());
  picture.across = swept_axis(lab.unit().empty() ? lab.parameter : fmt::format("{} ({})", lab.parameter, lab.unit()),
                              values, swept_value);
  picture.up = round_axis(lab.word("cycles"), least, most, cycles_word);
  // The first GPU is drawn last, above others with the same value.
  (void)std::ranges::stable_partition(picture.points, [](const ScatterPoint& point) { return point.group != 2; });
  std::ranges::sort(front, {}, [](const SweptPoint* point) { return point->value; });
  for (std::size_t i = 1; i < front.size(); ++i)
    picture.lines.push_back(
        {{front[i - 1]->value, front[i - 1]->cycles}, {front[i]->value, front[i]->cycles}, {}, false});
  return {{1, {{{}, 1, std::move(picture)}}}};
}

void pareto_facts(const SweepLab& lab, FactWriter& facts) {
  const auto cycles = [](const SweptPoint& point) { return point.cycles; };
  const auto best = std::ranges::min_element(lab.points(), {}, cycles);
  facts.counted("gpus", lab.points().size());
  facts.counted("front", static_cast<std::size_t>(std::ranges::count(lab.points(), true, &SweptPoint::front)));
  facts.derived("least_cycles", cycles_word(best->cycles));
}

TableCell swept_cell(const SweepLab& lab, double value, std::string_view key) {
  return figure_cell(Figure::derived(swept_value(value), lab.input.narration.text("lab/sweep.formula", key)));
}

PanelRows sensitivity_panels(const SweepLab& lab) {
  constexpr std::size_t most_rows = 24;
  TablePicture table;
  table.columns = {{lab.word("head_parameter"), 2},
                   {lab.word("head_elasticity"), 1, true, true},
                   {lab.word("head_twice"), 1, true, true},
                   {lab.word("head_base"), 1, true, true},
                   {lab.word("head_from"), 1, true, true},
                   {lab.word("head_to"), 1, true, true},
                   {lab.word("head_cycles_from"), 1, true, true},
                   {lab.word("head_cycles_to"), 1, true, true}};
  table.least_rows = 6;
  const std::vector<Sensitivity>& rows = lab.here().sensitivity;
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
    const Sensitivity& one = rows[i];
    const double twice = 100 * (std::pow(2, std::clamp(one.elasticity, -10.0, 10.0)) - 1);
    TableRow row;
    row.cells = {word_cell(one.parameter),
                 figure_cell(Figure::derived(
                     fmt::format("{}{:.2f}", one.elasticity < -0.005 ? "−" : "", std::abs(one.elasticity)),
                     lab.input.narration.text("lab/sweep.formula", "elasticity"))),
                 figure_cell(Figure::derived(fmt::format("{}{:.0f} %",
                                                         twice < -0.5  ? "−"
                                                         : twice > 0.5 ? "+"
                                                                       : "",
                                                         std::abs(twice)),
                                             lab.input.narration.text("lab/sweep.formula", "twice"))),
                 swept_cell(lab, one.base, "base"),
                 swept_cell(lab, one.from, "from"),
                 swept_cell(lab, one.to, "to"),
                 swept_cell(lab, one.cycles_from, "cycles"),
                 swept_cell(lab, one.cycles_to, "cycles")};
    row.followed = one.parameter == lab.parameter;
    table.rows.push_back(std::move(row));
  }
  return {{1, {{{}, 1, std::move(table)}}, true}};
}

void sensitivity_facts(const SweepLab& lab, FactWriter& facts) {
  facts.counted("parameters", lab.here().points.size());
  if (!lab.here().sensitivity.empty())
    facts.derived("strongest", fmt::format("{:.2f}", std::abs(lab.here().sensitivity.front().elasticity)));
}

std::string without_sweep(const Here& here, Narration::Values&) {
  return sweep_of(here.input.trace).empty() ? "none" : "";
}

Narration::Values sweep_values(const SweepLab& lab) {
  Narration::Values values = {{"launch", lab.here().name},
                              {"parameter", lab.parameter},
                              {"base_gpu", lab.sweep.base},
                              {"n", with_thousands(std::ssize(lab.points()))}};
  if (!lab.here().sensitivity.empty()) values["strongest"] = lab.here().sensitivity.front().parameter;
  return values;
}

// Of what raises the cycles, such as latencies, larger values are cheaper.
std::string pareto_section(const SweepLab& lab) {
  return lab.here().larger_is_cheaper.contains(lab.parameter) ? "pareto.larger" : "pareto";
}

std::string sensitivity_section(const SweepLab& lab) {
  return lab.here().sensitivity.empty() ? "sensitivity.none" : "sensitivity";
}

ControlNames launch_control(const SweepLab&) { return {"launch"}; }

constexpr Frame<SweepLab> sweep_frame = {.subject = [](const Here& here) { return SweepLab(here.input); },
                                         .stop = "front_end",
                                         .instead = without_sweep,
                                         .values = sweep_values,
                                         .complete = take_controls<SweepLab>};

constexpr BeatOf<SweepLab> sweep_beats[] = {
    {.key = "pareto", .section = pareto_section, .facts = pareto_facts, .panels = pareto_panels},
    {.key = "sensitivity",
     .section = sensitivity_section,
     .facts = sensitivity_facts,
     .panels = sensitivity_panels,
     .controls = launch_control}};

}  // namespace

const Contents& sweep_lab() {
  static const BeatTable table(sweep_name, sweep_frame, sweep_beats);
  return table;
}

}  // namespace warpwalk::story
