// The whole simulated GPU at a glance, and the simulated time beside the measured one.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/run/launch/cycle_figures.h"
#include "core/run/replay/history.h"
#include "core/story/elements/moment.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/facts/simulated/gpu_glance.h"
#include "core/story/facts/simulated/simulated_launch.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/pictures/panels.h"
#include "core/story/scenes/map/map.h"
#include "core/story/stage/control_set.h"

namespace warpwalk::story {
namespace {

bool has_cycles(const SceneInput& input) {
  Narration::Values values;
  return missing_cycles(input, values).empty();
}

}  // namespace

std::string gpu_variant(const SceneInput& input, Narration::Values& values) {
  if (std::string missing = missing_cycles(input, values); !missing.empty()) return missing;
  const gpu::LaunchTiming& timing = input.history.travel->timing();
  const auto percent = [](double value) { return Figure::derived(value, Unit::percent, "-").text(); };
  values["issue"] = percent(issue_slots_used(*input.history.travel));
  if (timing.cut) return "cut";
  const std::optional<TimeBeside> beside = time_beside(input);
  if (!beside) return "";
  values["measured_time"] = time_text(beside->measured);
  values["simulated_time"] = time_text(beside->simulated);
  return "beside";
}

void add_gpu_beat(const SceneInput& input, bool alone, Stage& stage, ReceiptPicture& receipt) {
  stage.facts.clear();
  stage.missing.clear();
  const double leaving = alone ? 1 - part(input.moment.phase, 0, 0.25) : 0;
  for (ReceiptLine& line : receipt.lines) line.shown *= leaving;
  receipt.total_shown = receipt.total ? leaving : 0;
  if (leaving == 0) receipt.counted.clear();
  if (!has_cycles(input)) return;

  run::TimeTravel& travel = *input.history.travel;
  const Narration& n = input.narration;
  ControlSet controls(input, "map");
  const std::uint16_t sm = chosen_sm(controls, input, travel);
  const std::size_t shows =
      controls.choice("shows", {n.text("map.control", "issue"), n.text("map.control", "residents")}, 0, "usual");
  HeatPicture all = gpu_glance(n, travel, sm, {}, shows == 0 ? GlanceShows::issue : GlanceShows::residents);
  all.swept = eased(input.moment.phase);

  const Narration::Values values;
  FactWriter facts(input, values, stage);
  simulated_launch_facts(input, stage);
  const gpu::LaunchTiming& timing = travel.timing();
  double cycles = timing.cycles;
  if (timing.cut) {
    cycles = 0;
    for (const std::uint16_t one : travel.busy_sms())
      cycles = std::max(cycles, static_cast<double>(travel.end(one) - 1));
  }
  facts.fact("cycles", Figure::recorded(cycles, Unit::count, Origin::simulated));
  if (travel.busy_sms().size() < travel.record().sms.size())
    facts.fact("busy_sms",
               Figure::recorded(static_cast<double>(travel.busy_sms().size()), Unit::count, Origin::simulated));
  facts.fact("achieved", Figure::recorded(achieved_occupancy(travel), Unit::percent, Origin::simulated));
  facts.derived("issued", issue_slots_used(travel), Unit::percent);
  if (!timing.cut) {
    const run::IssueSlots slots = run::issue_slots_of(timing);
    facts.derived("all_wait", slots.no_eligible_warp, Unit::percent);
    facts.derived("no_warp", slots.no_warp, Unit::percent);
  }
  std::string heading =
      n.text("map.head", input.history.stand_in() ? "gpu.stand_in" : "gpu", {{"entry", input.history.history->entry}});
  Panels panels;
  panels.rows.push_back({1, {{std::move(heading), 1, std::move(all)}}});
  stage.picture = std::make_shared<const Panels>(std::move(panels));
  stage.controls = controls.take();
}

}  // namespace warpwalk::story
