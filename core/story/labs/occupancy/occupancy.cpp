// Lab: occupancy by registers, shared memory and block size, and what it is good for: Little's law.
#include "core/gpu/blocks/occupancy.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/device_match.h"
#include "core/gpu/blocks/littles_law.h"
#include "core/story/facts/launch/device_parameter.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab.h"
#include "core/story/labs/occupancy/occupancy_runs.h"
#include "core/story/pictures/hide.h"
#include "core/story/records/hardware.h"

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
    for (const gpu::Device& one : in.hardware.devices) names.push_back(one.id);
    const analysis::DeviceMatch match = analysis::device_of(in.trace, in.walk, in.hardware.devices);
    const std::string own = match.device ? match.device->id : "h200";
    const auto found = std::ranges::find(names, own);
    const auto first = found == names.end() ? std::size_t{0} : static_cast<std::size_t>(found - names.begin());
    const std::size_t chosen = controls.choice("device", names, first, "walk");
    device = &in.hardware.devices[chosen];
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
    const auto& limit = o.fit.limit(limiter);
    const bool followed = std::ranges::find(o.fit.limiters, limiter) != o.fit.limiters.end();
    table.rows.push_back(
        {{word_cell(o.word(fmt::format("of.{}", gpu::name_of(limiter)))), number_cell(block),
          figure_cell(Figure::constant(static_cast<double>(*sm), Unit::count, Origin::explained, sm.source)),
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
  for (int i = 0; i <= 4; ++i) {
    const double at = chart.from + (chart.to - chart.from) * i / 4;
    chart.ticks.emplace_back(at, with_thousands(std::llround(at)));
  }
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

void set_picture(const OccupancyLab& o, std::string_view beat, Stage& stage) {
  Panels panels;
  if (beat == "fit")
    panels.rows = {{1, {limits_panel(o)}}};
  else if (beat == "curves")
    panels.rows = {{1, {curve_panel(o, Axis::registers)}},
                   {1, {curve_panel(o, Axis::block), curve_panel(o, Axis::shared)}}};
  else if (beat == "little")
    panels.rows = {{1, {speed_panel(o)}}};
  else if (beat == "loads")
    panels.rows = {{1, {speed_panel(o), loads_panel(o)}}};
  else if (beat == "more") {
    const WindowRuns runs(o.input);
    panels.rows = {{5, {runs.panel()}}, {2, {runs.table()}, true}};
  } else
    panels.rows = {{3, {tasks_panel(o.input, occupancy_lab_name, tasks_of(o))}, true}, {2, {limits_panel(o)}}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

}  // namespace

std::vector<Beat> occupancy_lab_beats(const Trace&, const Walk&) {
  return {{"fit", 0}, {"curves", 0}, {"little", 0}, {"loads", 0}, {"more", 0}, {"tasks", 0}};
}

Stage occupancy_lab(const SceneInput& input) {
  OccupancyLab o(input);
  std::vector<Beat> beats = occupancy_lab_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  const WindowRuns runs(input);
  const bool measured = runs.recorded(), missing = beat == "more" && !measured;
  if (missing) here.key = "none";
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(input.narration, thing, n); };
  const gpu::MemoryInFlight memory = o.memory();
  const double share = o.share(o.fit.warps_per_sm);
  const Narration::Values values = {
      {"blocks", count("block", o.fit.blocks_per_sm)},
      {"warps", count("warp", o.fit.warps_per_sm)},
      {"slots", with_thousands(*o.device->warps_per_sm)},
      {"percent", fmt::format("{:.0f} %", o.fit.percent)},
      {"limiter", o.limiter_words()},
      {"share", fmt::format("{:.0f} %", 100 * share)},
      {"needed", bytes_text(memory.needed)},
      {"latency", count("cycle", *o.device->latency_memory)},
      {"loads", count("load", o.loads)},
      {"bytes", fmt::to_string(o.bytes)},
      {"enough", count("warp", o.enough(o.loads))},
      {"gpu", o.device->name},
      {"fastest", count("block", measured ? runs.fastest() : 0)},
      {"few_hits", fmt::format("{:.0f} %", measured ? runs.l1_hits(8) : 0.0)},
      {"many_hits", fmt::format("{:.0f} %", measured ? runs.l1_hits(1) : 0.0)},
      {"slower", fmt::format("{:.0f} %", measured ? 100 * runs.cycles(8) / runs.cycles(runs.fastest()) - 100 : 0.0)}};
  Stage stage = common_stage(input, occupancy_lab_name, beats, values, "sm");
  FactWriter facts(input, values, stage);
  if (missing) {
    facts.missing("runs");
  } else if (beat == "more") {
    if (const gpu::Device* const h200 = input.hardware.find("h200"))
      facts.fact("l1", Figure::constant(static_cast<double>(*h200->l1_bytes), Unit::bytes,
                                        origin_of(h200->l1_bytes.status), h200->l1_bytes.source));
  } else {
    facts.counted("blocks", static_cast<std::size_t>(o.fit.blocks_per_sm));
    facts.counted("warps", static_cast<std::size_t>(o.fit.warps_per_sm));
    facts.derived("percent", o.fit.percent, Unit::percent);
    facts.derived("limiter", o.limiter_words());
    facts.derived("needed", memory.needed, Unit::bytes);
    facts.derived("in_flight", o.in_flight(o.fit.warps_per_sm), Unit::bytes);
    facts.derived("share", 100 * share, Unit::percent);
  }
  if (!missing) set_picture(o, beat, stage);
  stage.controls = o.controls.take();
  if (beat == "fit" || beat == "curves") keep_controls(stage, {"device", "block", "registers", "shared"});
  if (beat == "more") keep_controls(stage, {});
  if (beat == "little") {
    Ask asked{"little",
              fmt::format("{} {} {}", o.device->id, o.loads, o.bytes),
              number_options(input.narration, "warp", o.enough(o.loads), {}),
              {"needed"}};
    asked.hide = [](Panels& panels) {  // the bandwidth stays
      if (auto* const speed = picture_at<ScatterPicture>(panels, 0, 0)) {
        speed->points.clear();
        // The axis ends at the warps that fit, which says nothing about those that are needed.
        speed->across.ticks.clear();
      }
    };
    ask(input, values, asked, stage);
  }
  return stage;
}

}  // namespace warpwalk::story
