#include "core/story/facts/simulated/simulated_launch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/exec/launch_check.h"
#include "core/gpu/exec/program.h"
#include "core/run/launch/cupti_time.h"
#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/cycles.h"
#include "core/run/replay/history.h"
#include "core/run/replay/load_recorded.h"
#include "core/run/replay/replay_plan.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/words/common_stage.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view section = "simulated_launch";

/// Sums over the stretches in which an SM has warps.
struct Activity {
  double issued = 0, warps = 0;
  double stretches = 0;
};
Activity activity_of(const gpu::LaunchRecord& record) {
  Activity sum;
  for (const gpu::SmActivity& activity : record.activity) {
    sum.issued += activity.issued;
    sum.warps += activity.warps;
    sum.stretches += activity.warps > 0;
  }
  return sum;
}

}  // namespace

double cycles_ns(const run::TimeTravel& travel, double cycles) {
  return 1e9 * run::seconds_of(travel.device(), cycles);
}

std::optional<TimeBeside> time_beside(const SceneInput& input) {
  const HistoryView& view = input.history;
  if (view.timing == nullptr || view.travel == nullptr || is_untimed(input.trace, input.walk)) return {};
  if (input.trace.records.time_origin() != Origin::measured) return {};
  TimeBeside time;
  time.measured = static_cast<double>(input.trace.slices.duration[input.walk.kernel]);
  const std::string_view gpu = run::gpu_of(input.trace, input.walk.kernel);
  time.simulated = run::cupti_ns(view.travel->device(), *view.timing, gpu);
  const run::OutsideBlocks outside = run::outside_blocks(gpu);
  time.outside = outside.ns;
  time.outside_measured = outside.measured;
  if (!(time.measured > 0)) return {};
  return time;
}

// The timing model counts the time of a warp when it ends, so a launch that was cut needs the record.
double achieved_occupancy(const run::TimeTravel& travel) {
  if (!travel.timing().cut) return travel.timing().achieved_occupancy;
  const Activity sum = activity_of(travel.record());
  const double slots = sum.stretches * static_cast<double>(*travel.device().warps_per_sm);
  return slots > 0 ? 100 * sum.warps / slots : 0;
}

double issue_slots_used(const run::TimeTravel& travel) {
  if (!travel.timing().cut) return run::issue_slots_of(travel.timing()).issued;
  const Activity sum = activity_of(travel.record());
  const double slots = sum.stretches * static_cast<double>(travel.record().stretch) *
                       static_cast<double>(*travel.device().sub_partitions);
  return slots > 0 ? 100 * sum.issued / slots : 0;
}

void simulated_launch_facts(const SceneInput& input, Stage& stage) {
  const HistoryView& view = input.history;
  const gpu::LaunchTiming& timing = view.travel->timing();
  const auto word = [&](std::string_view key, const Narration::Values& values = {}) {
    return input.narration.text(section, key, values);
  };
  const auto add = [&](std::string_view key, Figure figure) { stage.facts.push_back({word(key), std::move(figure)}); };
  const std::optional<TimeBeside> beside = time_beside(input);
  if (beside) add("measured", Figure::recorded(beside->measured, Unit::nanoseconds, Origin::measured));
  const auto simulated = [&](double cycles) {
    return Figure::recorded(cycles_ns(*view.travel, cycles), Unit::nanoseconds, Origin::simulated);
  };
  if (timing.cut) {
    add("cut",
        Figure::recorded(word("first", {{"n", with_thousands(static_cast<std::int64_t>(timing.warp_instructions))}}),
                         Origin::simulated));
  } else {
    add("kernel", simulated(timing.cycles - timing.launch_cost));
    add("simulated", simulated(timing.cycles));
  }
  if (beside) {
    add("as_cupti", Figure::recorded(beside->simulated, Unit::nanoseconds, Origin::simulated));
    const Narration::Values values = {{"percent", with_marks(fmt::format("{:+.1f}", beside->error()))},
                                      {"outside", time_text(beside->outside)}};
    add("error", Figure::derived(word("errors", values),
                                 word(beside->outside_measured ? "error_formula" : "error_formula_assumed", values)));
  }
  add("caches", Figure::explained(word(run::name_of(timing.caches))));
  const trace::KernelRecord* const record = run::record_of(input.trace, input.walk.kernel);
  if (record != nullptr && record->caches_carried && !timing.cut &&
      record->cycles != std::llround(timing.cycles))  // of another GPU, or the recording has no caches
    add("recorded", Figure::recorded(static_cast<double>(record->cycles), Unit::count, record->cycles_origin));
  if (timing.estimated) add("schedule", Figure::explained(word("estimated")));
  if (view.stand_in())
    add("stand_in", Figure::recorded(stand_in_text(input.narration, *view.history), Origin::simulated));
  add_replay_facts(input, stage);
}

gpu::Occupancy simulated_occupancy(const SceneInput& input) {
  const run::TimeTravel& travel = *input.history.travel;
  const gpu::Launch& launch = input.history.history->before;
  auto checked = gpu::check_launch(travel.device(), travel.program(), launch,
                                   launch.registers.value_or(travel.program().registers));
  // The launch was accepted when it was simulated, and so it is now.
  if (checked) return std::move(*checked);
  return {};
}

RasterPicture blocks_raster(const Narration& narration, const std::vector<BlockTime>& blocks, std::int64_t end,
                            bool measured) {
  const auto word = [&](std::string_view key, const Narration::Values& values = {}) {
    return narration.text(section, key, values);
  };
  RasterPicture picture;
  picture.to = std::max<std::int64_t>(1, end);
  picture.states.push_back({Tone::work, false, false, word("first_block")});
  if (std::ranges::any_of(blocks, [](const BlockTime& block) { return block.turn > 0; }))
    picture.states.push_back({Tone::work, true, false, word("later_block")});
  picture.word_cycle = word(measured ? "ns" : "cycle");
  picture.word_rows = word("slot");
  RasterGroup& group = picture.groups.emplace_back();
  group.note = count_text(narration, "block", static_cast<std::int64_t>(blocks.size()));
  for (const BlockTime& block : blocks) {
    while (group.rows.size() <= block.slot)
      group.rows.push_back({std::to_string(group.rows.size()), static_cast<double>(group.rows.size()), false, {}});
    const Narration::Values values = {{"n", with_thousands(static_cast<std::int64_t>(block.block))}};
    group.rows[block.slot].spans.push_back({block.start, std::max(block.start + 1, block.end),
                                            std::min<std::size_t>(block.turn, picture.states.size() - 1),
                                            word(block.ended ? "block" : "block_running", values)});
  }
  return picture;
}

}  // namespace warpwalk::story
