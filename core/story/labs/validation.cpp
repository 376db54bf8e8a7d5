// Lab: how well the timing model predicts the cycles of launches that were measured on an H200.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view validation_name = "lab/validation";
constexpr std::string_view validation_words = "lab/validation.word";
constexpr double band = 0.15;
constexpr double spread_limit = 6;  // percent; the statistics leave out launches whose measurements spread more
constexpr std::size_t most_named = 6;

struct Point {
  const records::ValidatedLaunch* launch;
  double measured, simulated;
  double error() const { return simulated / measured - 1; }
  /// Launches of the other sets were looked at to decide what to measure, or written with a microbenchmark.
  bool held_out() const { return launch->set == "validate"; }
  bool counts() const { return launch->spread <= spread_limit; }
};

std::vector<Point> points_of(const std::vector<records::ValidatedLaunch>& launches, bool with_cost) {
  std::vector<Point> points;
  for (const records::ValidatedLaunch& launch : launches)
    points.push_back(with_cost ? Point{&launch, launch.cycles_measured, launch.cycles_simulated}
                               : Point{&launch, launch.active_measured, launch.active_simulated});
  return points;
}

// The numbers 1, 2 and 5 times a power of ten, from below the values to above them.
std::vector<double> ticks_of(const std::vector<Point>& points, bool simulated_too) {
  double least = 1e4, most = 1e5;
  for (const Point& point : points) {
    least = std::min({least, point.measured, simulated_too ? point.simulated : point.measured});
    most = std::max({most, point.measured, simulated_too ? point.simulated : point.measured});
  }
  std::vector<double> ticks;
  for (double decade = 1; decade < 1e15 && (ticks.empty() || ticks.back() < most); decade *= 10)
    for (const double tick : {decade, 2 * decade, 5 * decade}) {
      if (!ticks.empty() && ticks.back() >= most) break;
      if (tick <= least) ticks.clear();
      ticks.push_back(tick);
    }
  return ticks;
}

ScatterAxis cycles_axis(std::string label, const std::vector<double>& ticks) {
  ScatterAxis axis = {std::move(label), ticks.front(), ticks.back(), true, {}};
  for (const double tick : ticks) axis.ticks.emplace_back(tick, with_thousands(std::llround(tick)));
  return axis;
}

std::string signed_percent_text(double share) {
  const long whole = std::lround(100 * share);
  return fmt::format("{}{} %", whole > 0 ? "+" : whole < 0 ? "−" : "", std::abs(whole));
}

// The groups and their points; the worst launches get their names.
void add_points(const SceneInput& input, const std::vector<Point>& points, bool errors, ScatterPicture& picture) {
  const auto word = [&](std::string_view key) { return input.narration.text(validation_words, key); };
  picture.groups = {{word("reference"), Tone::memory}, {word("held_out"), Tone::shared}, {word("spread"), Tone::quiet}};
  std::vector<double> sizes;
  for (const Point& point : points)
    if (point.counts()) sizes.push_back(std::abs(point.error()));
  std::ranges::sort(sizes, std::greater<>());
  const double least_named = sizes.empty() ? 0 : sizes[std::min(most_named, sizes.size()) - 1];
  for (const Point& point : points) {
    const std::size_t group = !point.counts() ? 2 : point.held_out() ? 1 : 0;
    const std::string text = input.narration.text(validation_words, "point",
                                                  {{"measured", with_thousands(std::llround(point.measured))},
                                                   {"simulated", with_thousands(std::llround(point.simulated))},
                                                   {"error", signed_percent_text(point.error())}});
    picture.points.push_back({point.measured, errors ? 100 * point.error() : point.simulated, group, point.launch->name,
                              text, point.counts() && std::abs(point.error()) >= least_named});
  }
}

ScatterPicture cycles_picture(const SceneInput& input, const std::vector<Point>& points) {
  const auto word = [&](std::string_view key) { return input.narration.text(validation_words, key); };
  const std::vector<double> ticks = ticks_of(points, true);
  const double from = ticks.front(), to = ticks.back();
  ScatterPicture picture;
  picture.across = cycles_axis(word("measured"), ticks);
  picture.up = cycles_axis(word("simulated"), ticks);
  const double above = 1 + band, below = 1 - band;
  picture.band = {{from, from}, {from, from * above}, {to / above, to},
                  {to, to},     {to, to * below},     {from / below, from}};
  picture.lines = {{{from, from}, {to, to}, {}, false}};
  add_points(input, points, false, picture);
  return picture;
}

ScatterPicture errors_picture(const SceneInput& input, const std::vector<Point>& points) {
  const auto word = [&](std::string_view key) { return input.narration.text(validation_words, key); };
  double most = 0.3;
  for (const Point& point : points) most = std::max(most, std::abs(point.error()));
  const double top = 10 * std::ceil(10 * std::min(most, 1.0));  // percent
  const std::vector<double> ticks = ticks_of(points, false);
  ScatterPicture picture;
  picture.across = cycles_axis(word("measured"), ticks);
  picture.up = {word("error"), -top, top, false, {}};
  const double step = top > 50 ? 25 : 10;
  for (double tick = 0; tick <= top; tick += step)
    for (const double sign : {-1.0, 1.0})
      if (tick > 0 || sign > 0) picture.up.ticks.emplace_back(sign * tick, signed_percent_text(sign * tick / 100));
  const double from = ticks.front(), to = ticks.back();
  picture.band = {{from, -100 * band}, {from, 100 * band}, {to, 100 * band}, {to, -100 * band}};
  picture.lines = {{{from, 0}, {to, 0}, {}, false}};
  add_points(input, points, true, picture);
  return picture;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// The launches with the cycles that a beat is about.
struct Validation {
  const SceneInput& input;
  std::vector<Point> points;
};

void validation_facts(const Validation& v, FactWriter& facts) {
  const std::vector<Point>& points = v.points;
  std::vector<double> all, reference, held_out;  // sizes of the errors in percent
  for (const Point& point : points) {
    if (!point.counts()) continue;
    all.push_back(100 * std::abs(point.error()));
    (point.held_out() ? held_out : reference).push_back(all.back());
  }
  if (all.empty()) return facts.missing("validation");
  std::ranges::sort(all);
  facts.counted("launches", all.size());
  if (!reference.empty()) facts.derived("reference", mean_of(reference), Unit::percent);
  if (!held_out.empty()) facts.derived("held_out", mean_of(held_out), Unit::percent);
  const std::size_t middle = all.size() / 2;
  facts.derived("median", all.size() % 2 == 1 ? all[middle] : (all[middle - 1] + all[middle]) / 2, Unit::percent);
  const double rank = std::ceil(0.9 * static_cast<double>(all.size()));
  facts.derived("ninetieth", all[static_cast<std::size_t>(rank) - 1], Unit::percent);
  facts.derived("worst", all.back(), Unit::percent);
  facts.counted("within", static_cast<std::size_t>(std::ranges::upper_bound(all, 100 * band) - all.begin()));
}

Validation with_cost(const Here& here) { return {here.input, points_of(here.input.hardware.validation, true)}; }
Validation while_active(const Here& here) { return {here.input, points_of(here.input.hardware.validation, false)}; }

Narration::Values validation_values(const Validation& v) {
  return {{"n", with_thousands(static_cast<std::int64_t>(v.points.size()))}};
}

PanelRows validation_cycles_panels(const Validation& v) { return {{1, {{{}, 1, cycles_picture(v.input, v.points)}}}}; }
PanelRows errors_panels(const Validation& v) { return {{1, {{{}, 1, errors_picture(v.input, v.points)}}}}; }

constexpr Frame<Validation> elapsed = {
    .subject = with_cost, .stop = "front_end", .values = validation_values, .facts = validation_facts};
constexpr Frame<Validation> active = {
    .subject = while_active, .stop = "front_end", .values = validation_values, .facts = validation_facts};

}  // namespace

const Contents& validation_lab() {
  static const BeatTable table(validation_name, {framed(elapsed, {.key = "cycles", .panels = validation_cycles_panels}),
                                                 framed(active, {.key = "active", .panels = validation_cycles_panels}),
                                                 framed(elapsed, {.key = "errors", .panels = errors_panels})});
  return table;
}

}  // namespace warpwalk::story
