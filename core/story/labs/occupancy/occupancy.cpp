// Lab: occupancy by registers, shared memory and block size, and what it is good for: Little's law.
#include "core/gpu/blocks/occupancy.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/device_match.h"
#include "core/gpu/blocks/littles_law.h"
#include "core/records/hardware.h"
#include "core/story/facts/launch/device_parameter.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/occupancy/occupancy_runs.h"
#include "core/story/pictures/hide.h"
#include "core/story/pictures/size_axis.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view occupancy_lab_name = "lab/occupancy";
constexpr std::string_view occupancy_words = "lab/occupancy.word";
constexpr int load_widths[] = {4, 8, 16};  // bytes per lane and load

enum class Axis { registers, shared, block };

struct OccupancyLab {
  const SceneInput& input;
  ControlSet controls{input, occupancy_lab_name};
  const gpu::Device* device = nullptr;
  gpu::BlockNeeds needs;
  std::int64_t loads = 1;  ///< in flight per warp
  int bytes = 4;           ///< per lane and load
  gpu::Occupancy fit;

  explicit OccupancyLab(const SceneInput& in) : input(in) {
    std::vector<std::string> names;
    for (const gpu::Device& one : in.hardware.devices) names.push_back(short_gpu_name(one));
    const analysis::DeviceMatch match = analysis::device_of(in.trace, in.walk, in.hardware.devices);
    const std::string own = match.device ? match.device->id : "h200";
    device = &in.hardware.devices[controls.choice("device", names, gpu_index(in.hardware, own), "walk")];
    const trace::KernelDetail* const kernel = kernel_detail(in.trace, in.walk);
    const bool recorded = kernel != nullptr && kernel->block[0] > 0 && kernel->registers > 0;
    const std::string_view source = recorded ? "launched" : "example";
    const std::int64_t threads = recorded ? std::int64_t{kernel->block[0]} * kernel->block[1] * kernel->block[2] : 256;
    needs.threads = controls.slider("block", steps_by(32, 1024, 32), threads, source);
    needs.registers = controls.slider("registers", steps_by(16, 255, 1), recorded ? kernel->registers : 40, source);
    needs.static_shared =
        controls.slider("shared", steps_by(0, *device->shared_per_block_optin, 1024),
                        std::min(recorded ? kernel->shared_bytes : 0, *device->shared_per_block_optin), source, "B");
    needs.shared_optin = true;
    loads = controls.slider("loads", steps_growing(1, 16), 1, "example");
    std::vector<std::string> width_words;
    for (const int width : load_widths) width_words.push_back(fmt::format("{} B", width));
    bytes = load_widths[controls.choice("width", std::move(width_words), 0, "example")];
    fit = gpu::occupancy_of(*device, needs);
  }

  gpu::MemoryInFlight memory() const { return gpu::MemoryInFlight(*device); }
  double in_flight(std::int64_t warps) const {
    return gpu::MemoryInFlight::of(static_cast<double>(warps), static_cast<double>(loads), bytes);
  }
  double share(std::int64_t warps) const { return memory().share(in_flight(warps)); }
  /// Warps per SM that use the whole bandwidth; more than there are slots if no number does.
  std::int64_t enough(std::int64_t of_loads) const {
    return static_cast<std::int64_t>(
        std::ceil(memory().needed / gpu::MemoryInFlight::of(1, static_cast<double>(of_loads), bytes)));
  }
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(occupancy_words, key, values);
  }
  std::string limiter_words() const {
    std::string all;
    for (const gpu::Limiter limiter : fit.limiters)
      all += (all.empty() ? "" : ", ") + word(fmt::format("of.{}", gpu::name_of(limiter)));
    return all.empty() ? "–" : all;
  }
};

// Each resource: what a block takes, what the SM has, and the blocks that this allows.
Panel limits_panel(const OccupancyLab& o) {
  TablePicture table;
  table.columns = {{o.word("resource"), 3},
                   {o.word("per_block"), 2, true},
                   {o.word("per_sm"), 2, true},
                   {o.word("allows"), 2, true}};
  const gpu::Device& device = *o.device;
  const auto row = [&](gpu::Limiter limiter, std::int64_t block, const gpu::IntParameter& sm) {
    const bool bytes = limiter == gpu::Limiter::shared;
    const auto& limit = o.fit.limit(limiter);
    const bool followed = std::ranges::find(o.fit.limiters, limiter) != o.fit.limiters.end();
    table.rows.push_back(
        {{word_cell(o.word(fmt::format("of.{}", gpu::name_of(limiter)))),
          bytes ? bytes_cell(block) : number_cell(block),
          figure_cell(Figure::constant(static_cast<double>(*sm), bytes ? Unit::bytes : Unit::count, Origin::explained,
                                       sm.source)),
          limit ? figure_cell(Figure::derived(static_cast<double>(*limit), Unit::count, o.word("allows_formula")))
                : word_cell("–")},
         followed});
  };
  row(gpu::Limiter::warps, o.fit.warps_per_block, device.warps_per_sm);
  row(gpu::Limiter::registers, o.fit.registers_per_block, device.registers_per_sm);
  row(gpu::Limiter::shared, o.fit.shared_per_block, device.shared_per_sm);
  row(gpu::Limiter::blocks, 1, device.blocks_per_sm);
  return {"", 1, std::move(table)};
}

// Resident warps against one setting.
Panel curve_panel(const OccupancyLab& o, Axis axis) {
  ChartPicture chart;
  const std::string_view key = axis == Axis::registers ? "registers" : axis == Axis::shared ? "shared" : "block";
  chart.label = o.word(fmt::format("{}_axis", key));
  chart.tip = o.word("curve_tip");
  chart.control = fmt::format("{}.{}", occupancy_lab_name, key);
  chart.stops = axis == Axis::registers ? steps_by(16, 255, 1)
                : axis == Axis::shared  ? steps_by(0, static_cast<double>(*o.device->shared_per_block_optin), 1024)
                                        : steps_by(32, 1024, 32);
  chart.from = chart.stops.front();
  chart.to = chart.stops.back();
  for (const double stop : chart.stops) {
    gpu::BlockNeeds needs = o.needs;
    (axis == Axis::registers ? needs.registers
     : axis == Axis::shared  ? needs.static_shared
                             : needs.threads) = static_cast<std::int64_t>(stop);
    const auto warps = static_cast<double>(gpu::occupancy_of(*o.device, needs).warps_per_sm);
    if (!chart.steps.empty() && chart.steps.back().value == warps)
      chart.steps.back().to = stop;
    else
      chart.steps.push_back({stop, stop, warps});
  }
  const std::int64_t slots = *o.device->warps_per_sm;
  chart.top = static_cast<double>(slots) * 1.1;
  for (const std::int64_t level : {std::int64_t{0}, slots / 2, slots})
    chart.levels.emplace_back(static_cast<double>(level), fmt::to_string(level));
  if (axis == Axis::shared)
    chart.ticks = even_size_ticks(chart.to, 4);
  else
    for (std::int64_t at = axis == Axis::registers ? 32 : 256; static_cast<double>(at) <= chart.to;
         at += axis == Axis::registers ? 32 : 256)
      chart.ticks.emplace_back(static_cast<double>(at), with_thousands(at));
  const std::int64_t here = axis == Axis::registers ? o.needs.registers
                            : axis == Axis::shared  ? o.needs.static_shared
                                                    : o.needs.threads;
  chart.here = {static_cast<double>(here), static_cast<double>(o.fit.warps_per_sm),
                count_text(o.input.narration, "warp", o.fit.warps_per_sm)};
  return {"", 1, std::move(chart)};
}

// The share of the bandwidth against the resident warps.
Panel speed_panel(const OccupancyLab& o) {
  ScatterPicture picture;
  const std::int64_t slots = *o.device->warps_per_sm;
  picture.across = {o.word("warps_axis"), 0, static_cast<double>(slots), false, {}};
  for (std::int64_t warps = 0; warps <= slots; warps += slots / 4)
    picture.across.ticks.emplace_back(static_cast<double>(warps), fmt::to_string(warps));
  picture.up = {o.word("share_axis"), 0, 110, false, {{0, "0"}, {25, "25"}, {50, "50"}, {75, "75"}, {100, "100"}}};
  picture.groups = {{o.word("warps_resident"), Tone::work}, {o.word("this_kernel"), Tone::followed}};
  picture.lines = {{{0, 100}, {static_cast<double>(slots), 100}, o.word("peak"), true}};
  for (std::int64_t warps = 1; warps <= slots; ++warps) {
    const bool own = warps == o.fit.warps_per_sm;
    const std::string text = fmt::format("{:.0f} %", 100 * o.share(warps));
    picture.points.push_back({static_cast<double>(warps), 100 * o.share(warps), own ? 1u : 0u,
                              count_text(o.input.narration, "warp", warps), text, own});
  }
  return {o.word("speed", {{"gpu", o.device->name}}), 3, std::move(picture)};
}

// Warps that are enough, by loads in flight.
Panel loads_panel(const OccupancyLab& o) {
  TablePicture table;
  table.columns = {{o.word("loads_head"), 2, true},
                   {o.word("enough_head"), 2.6, true},
                   {o.word("occupancy_head"), 3.6, true},
                   {o.word("here_head"), 3.2, true}};
  const std::int64_t slots = *o.device->warps_per_sm;
  for (const std::int64_t loads : {1, 2, 4, 8, 16}) {
    const std::int64_t enough = o.enough(loads);
    const double share = o.memory().share(
        gpu::MemoryInFlight::of(static_cast<double>(o.fit.warps_per_sm), static_cast<double>(loads), o.bytes));
    TableCell warps = figure_cell(Figure::derived(static_cast<double>(enough), Unit::count, o.word("enough_formula")));
    if (enough > slots) warps.tone = Tone::refused;
    table.rows.push_back(
        {{number_cell(loads), std::move(warps),
          enough > slots ? word_cell(o.word("not_enough"))
                         : figure_cell(Figure::derived(100.0 * static_cast<double>(enough) / static_cast<double>(slots),
                                                       Unit::percent, o.word("occupancy_formula"))),
          figure_cell(Figure::derived(100 * share, Unit::percent, o.word("share_formula")))},
         loads == o.loads});
  }
  return {"", 3, std::move(table)};
}

std::vector<Task> tasks_of(const OccupancyLab& o) {
  const auto limited = [&](gpu::Limiter limiter) {
    return o.fit.limiters.size() == 1 && o.fit.limiters.front() == limiter;
  };
  return {{"full", o.fit.percent == 100},
          {"registers", limited(gpu::Limiter::registers) && o.fit.percent < 50},
          {"shared", limited(gpu::Limiter::shared) && o.fit.blocks_per_sm == 2},
          {"blocks", limited(gpu::Limiter::blocks)},
          {"low", o.fit.percent <= 25 && o.fit.blocks_per_sm > 0 && o.share(o.fit.warps_per_sm) == 1},
          {"high", o.fit.percent == 100 && o.share(o.fit.warps_per_sm) < 1}};
}

Narration::Values occupancy_values(const OccupancyLab& o) {
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(o.input.narration, thing, n); };
  const gpu::MemoryInFlight memory = o.memory();
  return {{"blocks", count("block", o.fit.blocks_per_sm)},
          {"warps", count("warp", o.fit.warps_per_sm)},
          {"slots", with_thousands(*o.device->warps_per_sm)},
          {"percent", short_percent(o.fit.percent)},
          {"limiter", o.limiter_words()},
          {"share", fmt::format("{:.0f} %", 100 * o.share(o.fit.warps_per_sm))},
          {"needed", bytes_text(memory.needed)},
          {"latency", count("cycle", *o.device->latency_memory)},
          {"loads", count("load", o.loads)},
          {"bytes", fmt::to_string(o.bytes)},
          {"enough", count("warp", o.enough(o.loads))},
          {"gpu", o.device->name}};
}

void fit_facts(const OccupancyLab& o, FactWriter& facts) {
  facts.counted("blocks", static_cast<std::size_t>(o.fit.blocks_per_sm));
  facts.counted("warps", static_cast<std::size_t>(o.fit.warps_per_sm));
  facts.derived("percent", o.fit.percent, Unit::percent);
  facts.derived("limiter", o.limiter_words());
  facts.derived("needed", o.memory().needed, Unit::bytes);
  facts.derived("in_flight", o.in_flight(o.fit.warps_per_sm), Unit::bytes);
  facts.derived("share", 100 * o.share(o.fit.warps_per_sm), Unit::percent);
}

std::optional<Ask> little_question(const OccupancyLab& o) {
  Ask asked{"little",
            fmt::format("{} {} {}", o.device->id, o.loads, o.bytes),
            number_options(o.input.narration, "warp", o.enough(o.loads), {}),
            {"needed"}};
  asked.hide = [](Panels& panels) {  // the bandwidth stays
    if (auto* const speed = picture_at<ScatterPicture>(panels, 0, 0)) {
      speed->points.clear();
      // The axis ends at the warps that fit, which says nothing about those that are needed.
      speed->across.ticks.clear();
    }
  };
  return asked;
}

// The beat about launches that were measured with more and more resident blocks.
std::optional<MissingData> unmeasured(const OccupancyLab& o) {
  return WindowRuns(o.input).recorded() ? std::nullopt : std::optional<MissingData>{{"runs"}};
}

void more_values(const OccupancyLab& o, Narration::Values& values) {
  const WindowRuns runs(o.input);
  values["fastest"] = count_text(o.input.narration, "block", runs.fastest());
  values["few_hits"] = fmt::format("{:.0f} %", runs.l1_hits(8));
  values["many_hits"] = fmt::format("{:.0f} %", runs.l1_hits(1));
  values["slower"] = fmt::format("{:.0f} %", 100 * runs.cycles(8) / runs.cycles(runs.fastest()) - 100);
}

void more_facts(const OccupancyLab& o, FactWriter& facts) {
  if (const gpu::Device* const h200 = o.input.hardware.find("h200"))
    facts.fact("l1", Figure::constant(static_cast<double>(*h200->l1_bytes), Unit::bytes,
                                      origin_of(h200->l1_bytes.status), h200->l1_bytes.source));
}

PanelRows more_panels(const OccupancyLab& o) {
  const WindowRuns runs(o.input);
  return {{5, {runs.panel()}}, {2, {runs.table()}, true}};
}

ControlNames fit_controls(const OccupancyLab&) { return {"device", "block", "registers", "shared"}; }

constexpr Frame<OccupancyLab> occupancy_frame = {.subject = [](const Here& here) { return OccupancyLab(here.input); },
                                                 .stop = "sm",
                                                 .values = occupancy_values,
                                                 .complete = take_controls};

constexpr BeatOf<OccupancyLab> occupancy_beats[] = {
    {.key = "fit",
     .facts = fit_facts,
     .panels = [](const OccupancyLab& o) -> PanelRows {
       return {{1, {limits_panel(o)}}};
     },
     .controls = fit_controls},
    {.key = "curves",
     .facts = fit_facts,
     .panels = [](const OccupancyLab& o) -> PanelRows {
       return {{1, {curve_panel(o, Axis::registers)}},
               {1, {curve_panel(o, Axis::block), curve_panel(o, Axis::shared)}}};
     },
     .controls = fit_controls},
    {.key = "little",
     .facts = fit_facts,
     .panels = [](const OccupancyLab& o) -> PanelRows {
       return {{1, {speed_panel(o)}}};
     },
     .question = little_question},
    {.key = "loads",
     .facts = fit_facts,
     .panels = [](const OccupancyLab& o) -> PanelRows {
       return {{1, {speed_panel(o), loads_panel(o)}}};
     }},
    {.key = "more",
     .missing = unmeasured,
     .values = more_values,
     .facts = more_facts,
     .panels = more_panels,
     .controls = no_controls},
    {.key = "tasks", .facts = fit_facts, .panels = [](const OccupancyLab& o) -> PanelRows {
       return {{3, {tasks_panel(o.input, occupancy_lab_name, tasks_of(o))}, true}, {2, {limits_panel(o)}}};
     }}};

}  // namespace

const Contents& occupancy_lab() {
  static const BeatTable table(occupancy_lab_name, occupancy_frame, occupancy_beats);
  return table;
}

}  // namespace warpwalk::story
