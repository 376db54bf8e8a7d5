// Chapter 1 of the tour: what is computed, and why on a GPU.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/elements/moment.h"
#include "core/story/facts/words/opening_line.h"
#include "core/story/scenes/tour/world.h"

namespace warpwalk::story {
namespace {

// --- Step 1: the line and its matrices.

constexpr std::int64_t most_cells = 32, cells_in_line = 16;  // of a row or a column: more cannot be read

// A row of a, or a column of b, as cells with their values. `lit`: how many of them are there.
void draw_strip(Plane& plane, const Tour& s, std::size_t operand, const PlaneBox& at, double lit) {
  const std::int64_t count = std::min(s.product.k, most_cells), columns = std::min(count, cells_in_line);
  const std::int64_t lines = (count + columns - 1) / columns;
  const double wide = at.width / static_cast<double>(columns), high = at.height / static_cast<double>(lines);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string value = operand == 0 ? s.element(0, s.number.at.row, i) : s.element(1, i, s.number.at.column);
    const double start = static_cast<double>(i) / static_cast<double>(2 * count);
    plane
        .box(fmt::format("{} {}", operand == 0 ? "a" : "b", i),
             {at.x + wide * static_cast<double>(i % columns) + 0.5,
              at.y + high * static_cast<double>(i / columns) + 0.5, wide - 1, high - 1},
             Tone::memory, value)
        .shown = part(lit, start, start + 0.5);
  }
}

// --- Step 2: the same work on a core and on a GPU.

// A size for which times were measured.
struct Race {
  std::string_view key;
  std::int64_t wanted = 0;  // elements
  const records::CoreTimes* times = nullptr;
  bool core_first() const { return times->one_core < times->gpu; }
  double longest() const { return std::max(times->one_core, times->gpu); }
};

constexpr std::string_view raced_work = "busy";  // a loop of multiply-adds for each element
constexpr std::int64_t few_elements = 16;

// The measured size that is nearest by its ratio; null without a record.
const records::CoreTimes* nearest(const Hardware& hardware, std::int64_t elements) {
  const records::CoreTimes* best = nullptr;
  const auto distance = [&](const records::CoreTimes& one) {
    return std::abs(std::log(one.size / static_cast<double>(elements)));
  };
  for (const records::CoreTimes& one : hardware.core_times)
    if (one.work == raced_work && one.size > 0 && (best == nullptr || distance(one) < distance(*best))) best = &one;
  return best;
}

std::array<Race, 2> races_of(const Tour& s) {
  std::array<Race, 2> races = {{{"few", few_elements}, {"many", s.product.m * s.product.n}}};
  for (Race& race : races) race.times = nearest(s.input.hardware, race.wanted);
  return races;
}

bool are_measured(const std::array<Race, 2>& races) {
  return std::ranges::all_of(races, [](const Race& race) { return race.times != nullptr; });
}

Narration::Values race_values(const Race& race) {
  const records::CoreTimes& times = *race.times;
  const double ratio = race.longest() / std::min(times.one_core, times.gpu);
  return {{"size", with_thousands(std::llround(times.size))},
          {"wanted", with_thousands(race.wanted)},
          {"core_time", time_text(times.one_core)},
          {"gpu_time", time_text(times.gpu)},
          {"times", ratio < 10 ? with_marks(fmt::format("{:.1f}", ratio)) : with_thousands(std::llround(ratio))}};
}

// The head of a race: its result as a small sheet.
void draw_head(Plane& plane, const Tour& s, const Race& race, double x) {
  const double top = world::border_view.y + 10;
  if (race.key == "few") {
    plane.cells("few sheet", {x, top, 56, 56}, 4, std::vector<Tone>(16, Tone::memory));
  } else {
    const MatrixProduct& p = s.product;
    const double most = static_cast<double>(std::max(p.m + p.k, p.n + p.k)), scale = 62 / most;
    const double k = static_cast<double>(p.k) * scale + 1;
    const PlaneBox c = {x + k + 1, top + k + 1, static_cast<double>(p.n) * scale, static_cast<double>(p.m) * scale};
    draw_sheets(plane, s, {{x, c.y, k, c.height}, {c.x, top, c.width, k}, c}, "");
  }
  plane.text(fmt::format("{} head", race.key), {x + 72, top, 390, 30}, s.word(fmt::format("race_{}", race.key)),
             Plane::Type::heading);
  if (race.times == nullptr) return;
  PlaneItem& size =
      plane.text(fmt::format("{} size", race.key), {x + 72, top + 32, 390, 24}, s.word("race_size", race_values(race)),
                 Plane::Type::label, Plane::Align::left, Tone::quiet);
  size.tip = s.word("tip_race");
  size.origin = Origin::measured;
}

// A lane of a race with its bar: `ran` of the longest time has passed.
void draw_bar(Plane& plane, const Tour& s, const Race& race, bool gpu, const PlaneBox& lane, double ran, bool open) {
  const std::string id = fmt::format("{} {}", race.key, gpu ? "gpu" : "core");
  plane.frame(id + " lane", lane, Tone::quiet);
  if (open) return;
  const double time = gpu ? race.times->gpu : race.times->one_core, share = time / race.longest();
  PlaneBox bar = lane;
  bar.width = std::max(2.0, lane.width * std::min(share, ran));
  plane.box(id, bar, gpu ? Tone::work : Tone::host).tip =
      s.word(gpu ? "tip_race_gpu" : "tip_race_core", race_values(race));
  if (ran < share) return;
  const bool first = gpu != race.core_first();
  const std::string text = s.word(first ? "race_first" : "race_later", race_values(race));
  const double words = 250;
  PlaneItem& verdict =
      share < 0.5 ? plane.text(id + " time", {bar.right() + 8, lane.y, words, lane.height}, text, Plane::Type::heading)
                  : plane.text(id + " time", {lane.right() - words - 10, lane.bottom() + 4, words + 10, 30}, text,
                               Plane::Type::heading, Plane::Align::right);
  if (!first) verdict.origin = Origin::derived;
}

}  // namespace

PlanePicture line_plane(const Tour& s, double phase) {
  Plane plane(world::sheets_view);
  plane.frame("memory", world::memory, Tone::memory);
  const world::Sheets to = world::sheets(s.product);
  const double right = to.c.right() + 44, wide = world::sheets_view.right() - 14 - right;
  const double top = world::sheets_view.y + 30;
  // The sheets unfold out of the line.
  const double out = eased(part(phase, 0, 0.55));
  const auto from_line = [&](const PlaneBox& sheet, double letters) {
    return world::on_way({right + 12 * letters, top + 10, 10, 20}, sheet, out);
  };
  draw_sheets(plane, s, {from_line(to.a, 11), from_line(to.b, 15), from_line(to.c, 13)}, "", part(phase, 0, 0.2));
  const auto opening = opening_line(s.trace(), s.walk());
  plane.text("code line", {right, top, wide, 44}, opening ? opening->text() : s.number.name(), Plane::Type::figure);
  const double named = part(phase, 0.5, 0.6), own = part(phase, 0.4, 1);
  plane.text("sheet a name", {world::sheets_view.x + 4, to.a.bottom() + 6, 140, 24}, s.word("sheet_a")).shown = named;
  plane.text("sheet b name", {to.b.x, to.b.y - 28, 220, 24}, s.word("sheet_b")).shown = named;
  plane
      .text("sheet c name", {to.c.x + 4, to.c.y + to.c.height / 2 - 24, to.c.width - 8, 48}, s.word("sheet_c"),
            Plane::Type::label, Plane::Align::centre)
      .shown = named;
  plane.text("row name", {right, top + 50, wide, 26}, s.word("row"));
  draw_strip(plane, s, 0, {right, top + 78, wide, 76}, own);
  plane.text("column name", {right, top + 164, wide, 26}, s.word("column"));
  draw_strip(plane, s, 1, {right, top + 192, wide, 76}, own);
  plane.text("asked name", {right, top + 282, wide, 30}, s.word("asked"), Plane::Type::body);
  plane.box("value", {right, top + 318, 90, 56}, Tone::followed, "?").type = Plane::Type::figure;
  plane.text("value name", {right + 104, top + 326, 170, 40}, s.number.name(), Plane::Type::figure);
  if (const trace::KernelRecord* record = analysis::kernel_record(s.trace(), s.walk());
      record != nullptr && record->state && !record->state->recorded_in.empty())
    plane
        .text("numbers name", {right + 290, top + 322, wide - 290, 52},
              s.word("recorded_in", {{"run", record->state->recorded_in}}), Plane::Type::label, Plane::Align::left,
              Tone::quiet)
        .origin = Origin::measured;
  return plane.take();
}

PlanePicture why_plane(const Tour& s, double phase) {
  Plane plane(world::border_view);
  plane.frame("cpu", world::cpu, Tone::host);
  plane.frame("gpu", world::gpu, Tone::quiet);
  const std::array<Race, 2> races = races_of(s);
  const bool open = !are_measured(races) || open_question(s, why_question(s));
  constexpr double column = 494, lane_wide = 450, lane_high = 48;
  const double left = world::border_view.x + 18;
  for (std::size_t i = 0; i < races.size(); ++i) {
    const Race& race = races[i];
    const double x = left + column * static_cast<double>(i), start = 0.5 * static_cast<double>(i);
    draw_head(plane, s, race, x);
    const double ran = part(phase, start, start + 0.5);
    plane.text(fmt::format("{} core name", race.key), {x, 330, lane_wide, 26}, s.word("race_core"), Plane::Type::body);
    draw_bar(plane, s, race, false, {x, 360, lane_wide, lane_high}, ran, open);
    plane.text(fmt::format("{} gpu name", race.key), {x, 496, lane_wide, 26}, s.word("race_gpu"), Plane::Type::body);
    draw_bar(plane, s, race, true, {x, 526, lane_wide, lane_high}, ran, open);
  }
  if (are_measured(races))
    plane.text("race origin", {left, 632, 2 * column - 30, 28},
               s.word("race_origin", {{"k", with_thousands(s.product.k)}}), Plane::Type::label, Plane::Align::left,
               Tone::quiet);
  return plane.take();
}

void why_values(const Tour& s, Narration::Values& values) {
  const std::array<Race, 2> races = races_of(s);
  if (!are_measured(races)) return;
  values.insert_or_assign("cores", fmt::to_string(std::llround(races[1].times->cores)));
  if (const auto& all = races[1].times->all_cores) values.insert_or_assign("all_cores", time_text(*all));
  values.insert_or_assign("gpu_time", time_text(races[1].times->gpu));
}

std::string why_section(const Tour& s) {
  const std::array<Race, 2> races = races_of(s);
  return are_measured(races) && races[0].core_first() && !races[1].core_first() ? "why" : "why.unmeasured";
}

std::optional<Ask> why_question(const Tour& s) {
  const std::array<Race, 2> races = races_of(s);
  if (!are_measured(races)) return {};
  constexpr std::array keys = {"core_core", "core_gpu", "gpu_core", "gpu_gpu"};
  Ask asked{"why", "", {}, {}};
  for (const std::string_view key : keys) {
    asked.options.words.push_back(s.word(fmt::format("answer_{}", key)));
    asked.options.keys.emplace_back(key);
  }
  asked.options.right = (races[0].core_first() ? 0 : 2) + (races[1].core_first() ? 0 : 1);
  return asked;
}

}  // namespace warpwalk::story
