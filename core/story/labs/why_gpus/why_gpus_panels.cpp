// Pictures of the lab "why-gpus".
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"
#include "core/story/labs/why_gpus/why_gpus.h"

namespace warpwalk::story {
namespace {

std::string whole_text(double value) { return with_thousands(std::llround(value)); }

ScatterAxis decades(std::string label, double from, double to, std::string (*text)(double)) {
  ScatterAxis axis = {std::move(label), from, to, true, {}};
  for (double tick = from; tick <= to * 1.001; tick *= 10) axis.ticks.emplace_back(tick, text(tick));
  return axis;
}

}  // namespace

// One thread alone on a CPU core and on an SM: the time of its instructions, one after the other.
Panel alone_panel(const WhyGpus& lab, double shown) {
  TimelinePicture picture;
  picture.to = std::max({lab.ns_alone(false), lab.ns_alone(true), 1.0}) * 1.08;
  RowGroup& group = picture.groups.emplace_back();
  const auto add = [&](std::string_view key, bool gpu) {
    Row& row = group.rows.emplace_back();
    row.name = lab.word(key);
    const double until = shown * picture.to;
    double from = 0;
    const auto bar = [&](double ns, Role role, std::string text) {
      const double end = std::min(from + ns, until);
      if (ns > 0 && end > from) {
        Bar& one = row.bars.emplace_back();
        one.label = std::move(text);
        one.start = std::llround(from);
        one.end = std::llround(end);
        one.role = role;
        one.followed = true;
      }
      from += ns;
    };
    const auto of = [&](const records::CoreTimes& one) { return gpu ? one.gpu : one.one_core; };
    bar(static_cast<double>(lab.steps) * of(*lab.chain), Role::kernel, lab.word("arithmetic"));
    for (std::int64_t i = 0; i < lab.loads; ++i) bar(of(*lab.chases.back()), Role::copy, lab.word("load"));
  };
  add("core", false);
  add("gpu_thread", true);
  return {"", 1, std::move(picture)};
}

Panel alone_table(const WhyGpus& lab) {
  TablePicture table;
  table.columns = {{lab.word("step"), 2.2},
                   {lab.word("core"), 1, true},
                   {lab.word("gpu_thread"), 1, true},
                   {lab.word("ratio"), 1, true}};
  const auto row = [&](std::string text, const records::CoreTimes& times) {
    const auto measured = [](double ns) { return figure_cell(Figure::recorded(span_text(ns), Origin::measured)); };
    table.rows.push_back(
        {{word_cell(std::move(text)), measured(times.one_core), measured(times.gpu),
          figure_cell(Figure::derived(lab.times_text(times.gpu / times.one_core), lab.word("ratio_formula")))},
         false});
  };
  row(lab.word("fma"), *lab.chain);
  for (const records::CoreTimes* const chase : lab.chases)
    row(lab.word("load_from", {{"size", bytes_text(chase->size)}}), *chase);
  return {"", 1, std::move(table)};
}

// How each of the two uses its chip area.
Panel design_panel(const WhyGpus& lab) {
  const gpu::Device& device = *lab.input.hardware.find(WhyGpus::measured_gpu);
  TablePicture table;
  table.columns = {{"", 1.1, false, false, true},
                   {lab.word("core"), 1.6, false, false, true},
                   {device.name, 1.6, false, false, true}};
  const auto row = [&](std::string_view key, const Narration::Values& values = {}) {
    const auto text = [&](std::string_view column) {
      return lab.input.narration.text(fmt::format("{}.design", WhyGpus::name), fmt::format("{}_{}", key, column),
                                      values);
    };
    table.rows.push_back(
        {{word_cell(lab.word(key)), word_cell(text("core"), Tone::quiet), word_cell(text("gpu"), Tone::plain)}, false});
  };
  const std::int64_t threads = *device.warps_per_sm * *device.threads_per_warp;
  row("goal");
  row("threads", {{"sms", fmt::to_string(*device.sm_count)},
                  {"per_sm", with_thousands(threads)},
                  {"all", with_thousands(threads * *device.sm_count)}});
  row("lanes",
      {{"per_sm", fmt::to_string(*device.fp32_lanes)}, {"all", with_thousands(*device.fp32_lanes * *device.sm_count)}});
  row("waits", {{"warps", fmt::to_string(*device.warps_per_sm / *device.sub_partitions)}});
  row("cache", {{"bytes", bytes_text(static_cast<double>(*device.l1_bytes) / static_cast<double>(threads))}});
  row("control");
  return {"", 1, std::move(table)};
}

Panel places_panel(const WhyGpus& lab, bool gpu) {
  const gpu::Device& device = *lab.input.hardware.find(WhyGpus::measured_gpu);
  CellGrid cells;
  const auto warps = static_cast<std::size_t>(*device.warps_per_sm);
  cells.columns = gpu ? warps / static_cast<std::size_t>(*device.sub_partitions) : 1;
  for (std::size_t i = 0; i < (gpu ? warps : 1); ++i) {
    const std::string number = fmt::to_string(i);
    cells.cells.push_back({gpu ? Tone::work : Tone::host, gpu ? number : std::string(),
                           gpu ? lab.word("warp", {{"n", number}}) : lab.word("one_thread")});
  }
  const Narration::Values values = {{"warps", fmt::to_string(warps)},
                                    {"lanes", fmt::to_string(*device.threads_per_warp)}};
  cells.summary = lab.word(gpu ? "places_gpu" : "places_core", values);
  return {cells.summary, gpu ? 3.0 : 1.0, std::move(cells)};
}

// Elements across, time upwards: one core, all cores, the GPU.
Panel work_panel(const WhyGpus& lab, double shown) {
  ScatterPicture picture;
  picture.across = {lab.word("elements"), 1, 1e8, true, {}};
  for (const double tick : {1.0, 1e2, 1e4, 1e6, 1e8})
    picture.across.ticks.emplace_back(tick, with_thousands(std::llround(tick)));
  picture.up = {lab.word("time"), 10, 1e9, true, {}};
  for (const auto& [tick, text] :
       {std::pair{10.0, "10 ns"}, {1e3, "1 µs"}, {1e5, "100 µs"}, {1e7, "10 ms"}, {1e9, "1 s"}})
    picture.up.ticks.emplace_back(tick, text);
  const Narration::Values cores = {{"cores", with_marks(fmt::format("{:g}", lab.series.front().cores))}};
  picture.groups = {
      {lab.word("core"), Tone::host}, {lab.word("cores", cores), Tone::shared}, {lab.word("gpu"), Tone::work}};
  const auto count = static_cast<std::size_t>(std::ceil(shown * static_cast<double>(lab.series.size())));
  for (std::size_t i = 0; i < count; ++i) {
    const records::CoreTimes& one = lab.series[i];
    const std::string elements = count_text(lab.input.narration, "element", std::llround(one.size));
    const std::array<double, 3> ns = {one.one_core, all_cores_ns(one), one.gpu};
    for (std::size_t group = 0; group < ns.size(); ++group)
      picture.points.push_back({one.size, ns[group], group, elements, span_text(ns[group]), false});
  }
  if (lab.at < count) {
    const double here = lab.series[lab.at].size;
    picture.lines.push_back({{here, picture.up.from}, {here, picture.up.to}, lab.word("chosen"), true});
  }
  return {"", 1, std::move(picture)};
}

Panel work_table(const WhyGpus& lab) {
  const records::CoreTimes& here = lab.series[lab.at];
  TablePicture table;
  table.columns = {{lab.word("elements"), 1, true},
                   {lab.word("core"), 1, true},
                   {lab.word("cores", {{"cores", with_marks(fmt::format("{:g}", here.cores))}}), 1, true},
                   {lab.word("gpu"), 1, true}};
  TableRow& row = table.rows.emplace_back();
  row.cells = {number_cell(std::llround(here.size))};
  for (const double ns : {here.one_core, all_cores_ns(here), here.gpu})
    row.cells.push_back(figure_cell(Figure::recorded(span_text(ns), Origin::measured)));
  return {"", 1, std::move(table)};
}

// SMs across, simulated cycles upwards: grids of three sizes.
Panel sms_panel(const WhyGpus& lab) {
  ScatterPicture picture;
  picture.across = {lab.word("sms"), 1, 200, true, {}};
  for (const std::string_view gpu : WhyGpus::parts)
    picture.across.ticks.emplace_back(static_cast<double>(lab.sms(gpu)), fmt::to_string(lab.sms(gpu)));
  picture.up = decades(lab.word("cycles"), 1e3, 3e6, whole_text);
  static constexpr Tone tones[] = {Tone::host, Tone::shared, Tone::work};
  for (std::size_t i = 0; i < std::size(WhyGpus::grids); ++i)
    picture.groups.push_back({count_text(lab.input.narration, "block", WhyGpus::grids[i]), tones[i]});
  for (std::size_t group = 0; group < std::size(WhyGpus::grids); ++group)
    for (const std::string_view gpu : WhyGpus::parts) {
      const double cycles = lab.cycles(gpu, WhyGpus::grids[group]);
      if (cycles > 0)
        picture.points.push_back({static_cast<double>(lab.sms(gpu)), cycles, group, picture.groups[group].name,
                                  lab.word("n_cycles", {{"n", whole_text(cycles)}}), false});
    }
  // The cycles of the chosen grid if twice the SMs took half the time.
  const double first = lab.cycles(WhyGpus::parts[0], lab.grid), least = static_cast<double>(lab.sms(WhyGpus::parts[0])),
               most = static_cast<double>(lab.sms(WhyGpus::parts[2]));
  if (first > 0) picture.lines.push_back({{least, first}, {most, first * least / most}, lab.word("ideal"), true});
  return {"", 1, std::move(picture)};
}

Panel sms_table(const WhyGpus& lab) {
  TablePicture table;
  table.columns = {{lab.word("blocks"), 1, true}};
  for (const std::string_view gpu : WhyGpus::parts)
    table.columns.push_back({lab.word("n_sms", {{"n", fmt::to_string(lab.sms(gpu))}}), 1.4, true});
  table.columns.push_back({lab.word("faster"), 1.2, true});
  for (const int blocks : WhyGpus::grids) {
    TableRow& row = table.rows.emplace_back();
    row.followed = blocks == lab.grid;
    row.cells.push_back(number_cell(blocks));
    for (const std::string_view gpu : WhyGpus::parts)
      row.cells.push_back(figure_cell(Figure::recorded(lab.cycles(gpu, blocks), Unit::count, Origin::simulated)));
    row.cells.push_back(figure_cell(Figure::derived(lab.times_text(lab.speedup(blocks)), lab.word("faster_formula"))));
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
