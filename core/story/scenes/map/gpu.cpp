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
#include "core/story/scenes/map/map.h"

namespace warpwalk::story {
namespace {

bool has_cycles(const SceneInput& input) {
  Narration::Values values;
  return missing_cycles(input, values).empty();
}

// The receipt, which fades out unless the beat before has cleared it.
ReceiptPicture cleared(const MapSubject& s) {
  ReceiptPicture picture = s.picture;
  const double left = ends_simulated(s.trace(), s.walk()) ? 0 : 1 - part(s.input.moment.phase, 0, 0.25);
  for (ReceiptLine& line : picture.lines) line.shown *= left;
  picture.total_shown = picture.total ? left : 0;
  if (left == 0) picture.counted.clear();
  return picture;
}

}  // namespace

std::string gpu_section(const MapSubject& s) {
  Narration::Values values;
  if (const std::string missing = missing_cycles(s.input, values); !missing.empty())
    return fmt::format("gpu.{}", missing);
  if (s.input.history.travel->timing().cut) return "gpu.cut";
  return time_beside(s.input) ? "gpu.beside" : "gpu";
}

void gpu_values(const MapSubject& s, Narration::Values& values) {
  if (!missing_cycles(s.input, values).empty()) return;
  values["issue"] = Figure::derived(issue_slots_used(*s.input.history.travel), Unit::percent, "-").text();
  if (const std::optional<TimeBeside> beside = time_beside(s.input)) {
    values["measured_time"] = time_text(beside->measured);
    values["simulated_time"] = time_text(beside->simulated);
  }
}

void gpu_facts(const MapSubject& s, FactWriter& facts) {
  if (!has_cycles(s.input)) return;
  run::TimeTravel& travel = *s.input.history.travel;
  simulated_launch_facts(s.input, facts.stage());
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
  if (timing.cut) return;
  const run::IssueSlots slots = run::issue_slots_of(timing);
  facts.derived("all_wait", slots.no_eligible_warp, Unit::percent);
  facts.derived("no_warp", slots.no_warp, Unit::percent);
}

void gpu_picture(const MapSubject& s, Stage& stage) {
  const SceneInput& input = s.input;
  if (!has_cycles(input)) {
    show_receipt(cleared(s), stage);
    return;
  }
  run::TimeTravel& travel = *input.history.travel;
  const Narration& n = input.narration;
  ControlSet controls(input, "map");
  const std::uint16_t sm = chosen_sm(controls, input, travel);
  const std::size_t shows =
      controls.choice("shows", {n.text("map.control", "issue"), n.text("map.control", "residents")}, 0, "usual");
  HeatPicture all = gpu_glance(n, travel, sm, {}, shows == 0 ? GlanceShows::issue : GlanceShows::residents);
  all.swept = eased(input.moment.phase);
  std::string heading =
      n.text("map.head", input.history.stand_in() ? "gpu.stand_in" : "gpu", {{"entry", input.history.history->entry}});
  Panels panels;
  panels.rows.push_back({1, {{std::move(heading), 1, std::move(all)}}});
  stage.picture = std::make_shared<const Panels>(std::move(panels));
  stage.controls = controls.take();
}

}  // namespace warpwalk::story
