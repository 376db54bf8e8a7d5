// Pictures of the lab "tiling".
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/tiling/tiling.h"
#include "core/story/pictures/size_axis.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t most_tiles_in_row = 32;  // per row of a picture

struct NamedCall {
  std::string_view key, ptx, machine;
};

// In the order in which the kernels of tests/validate/labs/labs.cu use them.
constexpr NamedCall calls[] = {
    {"copy", "cp.async", "LDGSTS"},
    {"commit", "cp.async.commit_group", "LDGDEPBAR"},
    {"wait", "cp.async.wait_group", "DEPBAR"},
    {"threads", "bar.sync", "BAR"},
    {"arrive_later", "cp.async.mbarrier.arrive", "ARRIVES"},
    {"arrive", "mbarrier.arrive", "SYNCS"},
    {"test", "mbarrier.try_wait", "SYNCS"},
};

// Measured and simulated points of the five kernels; `across` and `up` give their places from the run and its cycles.
template <class Across, class Up, class Text>
void add_kernels(const Tiling& lab, ScatterPicture& picture, Across across, Up up, Text text) {
  picture.groups.push_back({lab.word("measured"), Tone::work});
  picture.groups.push_back({lab.word("simulated"), Tone::memory});
  for (std::size_t i = 0; i < std::size(Tiling::kernels); ++i) {
    const records::LabRun* const run = lab.run(Tiling::kernels[i]);
    if (run == nullptr) continue;
    const std::optional<double> cycles[] = {run->cycles.measured, run->cycles.simulated};
    for (std::size_t group = 0; group < 2; ++group)
      if (cycles[group])
        picture.points.push_back({across(i, *run), up(*run, *cycles[group]), group, lab.word(Tiling::kernels[i]),
                                  text(*run, *cycles[group]), false});
  }
}

ScatterAxis tile_axis(std::string label) {
  ScatterAxis axis = {std::move(label), 1, 256, true, {}};
  for (double tick = 1; tick <= 256; tick *= 4) axis.ticks.emplace_back(tick, with_marks(fmt::format("{:g}", tick)));
  return axis;
}

}  // namespace

Panel matrix_panel(const Tiling& lab, char matrix, double at) {
  const std::int64_t tiles = Tiling::n / lab.tile, shown = std::min(tiles, most_tiles_in_row);
  const std::int64_t row = std::min<std::int64_t>(1, shown - 1), column = std::min<std::int64_t>(2, shown - 1);
  const std::int64_t k = std::min(static_cast<std::int64_t>(at * static_cast<double>(shown)), shown - 1);
  CellGrid cells;
  cells.columns = static_cast<std::size_t>(shown);
  const std::string tile_word = lab.word("tile_of", {{"matrix", std::string(1, matrix)}});
  for (std::int64_t i = 0; i < shown * shown; ++i) {
    const std::int64_t y = i / shown, x = i % shown;
    const bool strip = matrix == 'a' ? y == row : matrix == 'b' ? x == column : y == row && x == column;
    const std::int64_t along = matrix == 'a' ? x : y;
    const Tone tone = !strip          ? Tone::quiet
                      : matrix == 'c' ? Tone::followed
                      : along == k    ? Tone::shared
                      : along < k     ? Tone::work
                                      : Tone::memory;
    cells.cells.push_back({tone, {}, fmt::format("{} [{}, {}]", tile_word, y, x)});
  }
  // The same for all three, so that they are drawn equally large.
  cells.legend = {{Tone::memory, lab.word("needed")},
                  {Tone::shared, lab.word("in_shared")},
                  {Tone::work, lab.word("used")},
                  {Tone::followed, lab.word("computed")}};
  cells.summary =
      lab.word(std::string("summary_") + matrix,
               {{"tiles", with_thousands(tiles)}, {"k", fmt::to_string(k)}, {"tile", fmt::to_string(lab.tile)}});
  if (tiles > shown)
    cells.note = lab.word("first_tiles", {{"shown", fmt::to_string(shown)}, {"all", with_thousands(tiles)}});
  return {lab.word("in_tiles", {{"matrix", std::string(1, matrix)}, {"tile", fmt::to_string(lab.tile)}}), 1,
          std::move(cells)};
}

Panel bytes_panel(const Tiling& lab) {
  ScatterPicture picture;
  picture.across = tile_axis(lab.word("edge"));
  picture.up = size_axis(lab.word("loaded"), std::exp2(24), std::exp2(34));
  picture.lines.push_back({{1, Tiling::loaded(1)}, {256, Tiling::loaded(256)}, lab.word("derived"), false});
  picture.groups = {{lab.word("chosen"), Tone::followed}, {lab.word("simulated"), Tone::memory}};
  static constexpr std::pair<std::string_view, double> edges[] = {{"naive", 1}, {"tiled", 32}, {"registers", 64}};
  for (const auto& [kernel, edge] : edges)
    if (const records::LabRun* const run = lab.run(kernel); run != nullptr) {
      const double bytes = 32 * run->global_sectors;
      picture.points.push_back({edge, bytes, 1, lab.word(kernel), bytes_text(bytes), true});
    }
  const double here = Tiling::loaded(lab.tile);
  picture.points.push_back(
      {static_cast<double>(lab.tile), here, 0, fmt::format("{0} x {0}", lab.tile), bytes_text(here), false});
  return {"", 1, std::move(picture)};
}

Panel roofline_panel(const Tiling& lab) {
  ScatterPicture picture;
  constexpr double from = 0.1, to = 100, low = 1e11, high = 2e14;
  picture.across = {lab.word("intensity"), from, to, true, {{0.1, "0.1"}, {1, "1"}, {10, "10"}, {100, "100"}}};
  picture.up = {lab.word("speed"), low, high, true, {{1e11, "0.1"}, {1e12, "1"}, {1e13, "10"}, {1e14, "100"}}};
  const double ridge = lab.peak() / lab.bandwidth();
  picture.lines = {{{from, from * lab.bandwidth()}, {ridge, lab.peak()}, lab.word("memory_roof"), false},
                   {{ridge, lab.peak()}, {to, lab.peak()}, lab.word("compute_roof"), false}};
  add_kernels(
      lab, picture, [](std::size_t, const records::LabRun& run) { return Tiling::flops() / (32 * run.global_sectors); },
      [&](const records::LabRun&, double cycles) { return lab.speed(cycles); },
      [&](const records::LabRun&, double cycles) { return lab.tflops_text(lab.speed(cycles)); });
  picture.groups.push_back({lab.word("chosen"), Tone::followed});
  const double intensity = static_cast<double>(lab.tile) / 4;
  picture.points.push_back({intensity, std::min(lab.peak(), intensity * lab.bandwidth()), 2,
                            fmt::format("{0} x {0}", lab.tile),
                            lab.tflops_text(std::min(lab.peak(), intensity * lab.bandwidth())), false});
  for (std::size_t i = 0; i < picture.points.size(); i += 2) picture.points[i].named = picture.points[i].group == 0;
  return {"", 1, std::move(picture)};
}

Panel cycles_panel(const Tiling& lab) {
  ScatterPicture picture;
  constexpr double top = 800000;
  picture.across = {{}, 0.5, static_cast<double>(std::size(Tiling::kernels)) + 0.5, false, {}};
  for (std::size_t i = 0; i < std::size(Tiling::kernels); ++i)
    picture.across.ticks.emplace_back(static_cast<double>(i + 1), lab.word(Tiling::kernels[i]));
  picture.up = {lab.word("cycles"), 0, top, false, {}};
  for (double tick = 0; tick <= top; tick += top / 4)
    picture.up.ticks.emplace_back(tick, with_thousands(std::llround(tick)));
  add_kernels(
      lab, picture, [](std::size_t i, const records::LabRun&) { return static_cast<double>(i + 1); },
      [](const records::LabRun&, double cycles) { return cycles; },
      [](const records::LabRun&, double cycles) { return with_thousands(std::llround(cycles)); });
  return {"", 1, std::move(picture)};
}

Panel cycles_table(const Tiling& lab) {
  TablePicture table;
  table.columns = {{lab.word("kernel"), 1.2}};
  for (const std::string_view column : {"measured_head", "simulated_head", "of_peak", "loaded_head", "l1_head"})
    table.columns.push_back({lab.word(column), 1, true});
  const auto value = [](const std::optional<double>& one, Unit unit, Origin origin) {
    return one ? figure_cell(Figure::recorded(*one, unit, origin)) : word_cell("–", Tone::quiet);
  };
  for (const std::string_view kernel : Tiling::kernels) {
    const records::LabRun* const run = lab.run(kernel);
    if (run == nullptr) continue;
    const double cycles = run->cycles.measured.value_or(run->cycles.simulated.value_or(1));
    table.rows.push_back(
        {{word_cell(lab.word(kernel)), value(run->cycles.measured, Unit::count, Origin::measured),
          value(run->cycles.simulated, Unit::count, Origin::simulated),
          figure_cell(Figure::derived(100 * lab.speed(cycles) / lab.peak(), Unit::percent, lab.word("peak_formula"))),
          figure_cell(Figure::recorded(32 * run->global_sectors, Unit::bytes, Origin::simulated)),
          value(run->l1_hits.measured, Unit::percent, Origin::measured)},
         false});
  }
  return {"", 1, std::move(table)};
}

Panel overlap_panel(const Tiling& lab, double shown) {
  TimelinePicture picture;
  const std::vector<OverlapStep> steps = overlapped(Tiling::steps, lab.copy, lab.multiply, lab.buffers);
  // The axis fits the time with one buffer, so that the bars show what overlapping saves.
  picture.to = std::max(1.0, lab.total(1)) * 1.02;
  const double until = shown * picture.to;
  const auto add = [&](std::string_view key, Role role, auto start, auto end) {
    RowGroup& group = picture.groups.emplace_back();
    group.name = lab.word(key);
    Row& row = group.rows.emplace_back();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double from = start(steps[i]), to = std::min(end(steps[i]), until);
      if (from >= to) continue;
      Bar& bar = row.bars.emplace_back();
      bar.label = fmt::to_string(i);
      bar.start = std::llround(from);
      bar.end = std::llround(to);
      bar.role = role;
      bar.followed = true;
    }
  };
  add(
      "copies", Role::copy, [](const OverlapStep& step) { return step.copy_start; },
      [](const OverlapStep& step) { return step.copy_end; });
  add(
      "multiplications", Role::kernel, [](const OverlapStep& step) { return step.multiply_start; },
      [](const OverlapStep& step) { return step.multiply_end; });
  return {"", 1, std::move(picture)};
}

Panel calls_panel(const Tiling& lab) {
  TablePicture table;
  table.columns = {{lab.word("call"), 1.7, false, false, true},
                   {lab.word("does"), 1.7, false, false, true},
                   {"PTX", 1.6, false, false, true},
                   {"SASS", 0.7}};
  for (const NamedCall& call : calls) {
    const auto text = [&](std::string_view column) {
      return lab.input.narration.text(fmt::format("{}.calls", Tiling::name), fmt::format("{}_{}", call.key, column));
    };
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(text("call")), word_cell(text("does"), Tone::quiet), word_cell(std::string(call.ptx)),
                 word_cell(std::string(call.machine))};
    for (const std::size_t column : {0, 2, 3}) row.cells[column].code = true;
  }
  return {"", 1, std::move(table)};
}

Panel settings_panel(const Tiling& lab) {
  TablePicture table;
  for (const std::string_view column : {"edge", "loaded_head", "shared_head", "buffers_head", "total_head"})
    table.columns.push_back({lab.word(column), 1, true});
  TableCell shared = figure_cell(
      Figure::derived(static_cast<double>(Tiling::shared(lab.tile)), Unit::bytes, lab.word("shared_formula")));
  if (!lab.fits()) shared.tone = Tone::refused;
  table.rows.push_back(
      {{number_cell(lab.tile),
        figure_cell(Figure::derived(Tiling::loaded(lab.tile), Unit::bytes, lab.word("loaded_formula"))),
        std::move(shared), number_cell(lab.buffers),
        figure_cell(Figure::derived(lab.total(lab.buffers), Unit::nanoseconds, lab.word("total_formula")))},
       false});
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
