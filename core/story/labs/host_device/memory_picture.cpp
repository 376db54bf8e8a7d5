// Pictures of the lab "host-device": managed and mapped memory, and when a GPU with copies pays off.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/host_device/host_device.h"

namespace warpwalk::story {
namespace {

using Pages = ManagedStep::Pages;

Tone tone_of(Pages pages) {
  switch (pages) {
    case Pages::cpu: return Tone::host;
    case Pages::gpu: return Tone::memory;
    case Pages::both: return Tone::shared;
    case Pages::nowhere: break;
  }
  return Tone::quiet;
}

std::string_view key_of(Pages pages) {
  static constexpr std::string_view keys[] = {"pages_nowhere", "pages_cpu", "pages_gpu", "pages_both"};
  return keys[static_cast<std::size_t>(pages)];
}

ScatterAxis time_axis(std::string label, double from, double to) {
  ScatterAxis axis = {std::move(label), from, to, true, {}};
  static constexpr std::pair<double, std::string_view> units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
  for (double tick = from; tick <= to * 1.001; tick *= 10) {
    const auto unit = std::ranges::find_if(units, [&](const auto& one) { return tick >= 0.999 * one.first; });
    axis.ticks.emplace_back(tick, with_marks(fmt::format("{:.3g} {}", tick / unit->first, unit->second)));
  }
  return axis;
}

double decade_below(double value) { return std::pow(10, std::floor(std::log10(std::max(value, 1.0)))); }
double decade_above(double value) { return std::pow(10, std::ceil(std::log10(std::max(value, 1.0)))); }

}  // namespace

Panel pages_panel(const HostDevice& lab, double shown) {
  constexpr std::size_t drawn = 128;
  const std::vector<ManagedStep>& steps = lab.steps();
  const Pages after = steps[lab.step].after, before = lab.step == 0 ? Pages::nowhere : steps[lab.step - 1].after;
  CellGrid cells;
  cells.columns = 32;
  const auto moved = static_cast<std::size_t>(shown * drawn);
  for (std::size_t i = 0; i < drawn; ++i) {
    const Pages now = i < moved ? after : before;
    cells.cells.push_back({tone_of(now), {}, lab.word(key_of(now))});
  }
  for (const Pages one : {Pages::nowhere, Pages::cpu, Pages::gpu, Pages::both})
    if (one != Pages::both || lab.advice == 2) cells.legend.emplace_back(tone_of(one), lab.word(key_of(one)));
  cells.summary =
      lab.word("pages_summary", {{"step", lab.word(steps[lab.step].key)}, {"where", lab.word(key_of(after))}});
  return {lab.word("pages_head", {{"size", bytes_text(lab.bytes)}}), 1, std::move(cells)};
}

Panel steps_table(const HostDevice& lab) {
  TablePicture table;
  table.columns = {{lab.word("step_head"), 2.4},
                   {lab.word("done_head"), 1, true},
                   {lab.word("rate_head"), 1, true},
                   {lab.word("held_head"), 1.6}};
  const std::vector<ManagedStep>& steps = lab.steps();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double ns = lab.done_ns(steps[i].record);
    const bool moves = i > 0;
    table.rows.push_back(
        {{word_cell(lab.word(steps[i].key)), figure_cell(Figure::recorded(ns, Unit::nanoseconds, Origin::measured)),
          moves ? figure_cell(Figure::derived(lab.rate_text(lab.bytes / std::max(ns, 1.0)), lab.word("rate_formula")))
                : word_cell("–", Tone::quiet),
          word_cell(lab.word(key_of(steps[i].after)), Tone::quiet)},
         i == lab.step,
         {},
         {{fmt::format("{}.step", HostDevice::name), static_cast<double>(i)}}});
  }
  return {"", 1, std::move(table)};
}

Panel uses_panel(const HostDevice& lab) {
  ScatterPicture picture;
  picture.across = {lab.word("uses_axis"), 0.8, 80, true, {}};
  for (const int tick : {1, 2, 4, 8, 16, 32, 64}) picture.across.ticks.emplace_back(tick, fmt::to_string(tick));
  picture.groups = {{lab.word("use_copied"), Tone::memory},
                    {lab.word("use_mapped"), Tone::shared},
                    {lab.word("use_managed"), Tone::host},
                    {lab.word("use_prefetched"), Tone::work}};
  double least = 1e300, most = 0;
  for (const double step : steps_growing(1, 64)) {
    const auto costs = use_costs(lab.record, lab.bytes, static_cast<int>(step));
    if (!costs) continue;
    const std::array<double, 4> ns = {costs->copied, costs->mapped, costs->managed, costs->prefetched};
    for (std::size_t group = 0; group < ns.size(); ++group) {
      picture.points.push_back(
          {step, ns[group], group, lab.uses_text(static_cast<int>(step)), time_text(ns[group]), false});
      least = std::min(least, ns[group]);
      most = std::max(most, ns[group]);
    }
  }
  picture.up = time_axis(lab.word("time_axis"), decade_below(least), decade_above(most));
  const double here = lab.uses;
  picture.lines.push_back({{here, picture.up.from}, {here, picture.up.to}, lab.uses_text(lab.uses), true});
  return {"", 1, std::move(picture)};
}

Panel even_panel(const HostDevice& lab) {
  ScatterPicture picture;
  const std::vector<ComparedSize> sizes = lab.compared();
  picture.across = {lab.word("elements_axis"), 1, 1e8, true, {}};
  for (const double tick : {1.0, 1e2, 1e4, 1e6, 1e8})
    picture.across.ticks.emplace_back(tick, with_thousands(std::llround(tick)));
  picture.up = time_axis(lab.word("time_axis"), 10, 1e9);
  std::erase_if(picture.up.ticks, [](const auto& tick) { return std::llround(std::log10(tick.first)) % 2 == 0; });
  picture.groups = {{lab.word("even_cpu"), Tone::host},
                    {lab.word("even_kernel"), Tone::work},
                    {lab.word("even_copies"), Tone::memory}};
  for (const ComparedSize& one : sizes) {
    const std::array<double, 3> ns = {one.cpu, one.kernel, one.gpu()};
    for (std::size_t group = 0; group < ns.size(); ++group)
      picture.points.push_back({one.elements, ns[group], group,
                                count_text(lab.input.narration, "element", std::llround(one.elements)),
                                time_text(ns[group]), false});
  }
  if (const auto from = break_even(sizes))
    picture.lines.push_back({{*from, picture.up.from}, {*from, picture.up.to}, lab.word("even_here"), true});
  return {lab.adds_text(), 1, std::move(picture)};
}

}  // namespace warpwalk::story
