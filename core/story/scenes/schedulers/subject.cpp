#include <algorithm>
#include <cmath>

#include "core/run/replay/history.h"
#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t usual_width = 96;
constexpr std::int64_t largest_width = 1536;

// In the busiest cycle, the warp that is closest to what is followed.
SchedulersMotion at_busiest(const SmEvents& events, const BlockOnSm& followed) {
  SchedulersMotion motion{events.busiest, events.busiest};
  int best = -1;
  for (const gpu::Issue& issue : events.window->issues) {
    if (issue.what.cycle != events.busiest || followed.rank(issue.what.warp) <= best) continue;
    best = followed.rank(issue.what.warp);
    motion.slot = issue.what.warp.slot;
  }
  return motion;
}

std::int64_t middle_of(const gpu::WarpSpan& span) { return span.from + (span.to - span.from) / 2; }

// The cycle in which the last load was issued that a wait is for: none if its counter does not say, or if the warp did
// nothing in between.
std::optional<std::int64_t> asked_at(run::TimeTravel& travel, std::uint16_t sm, const FollowedSpan& wait) {
  if (wait.span.reason != gpu::StallReason::long_scoreboard) return {};
  const auto moment = travel.at(sm, wait.span.from + (wait.span.to - wait.span.from) / 2);
  std::optional<std::int64_t> asked;
  for (const gpu::WarpState& warp : moment->state.warps) {
    if (!(warp.place == wait.warp)) continue;
    for (std::size_t i = 0; i < warp.dependences.size(); ++i) {
      const gpu::DependenceState& dependence = warp.dependences[i];
      if (dependence.pending == 0 || (warp.wait_mask >> i & 1) == 0 || !dependence.from_memory) continue;
      asked = std::max(asked.value_or(0), dependence.set_at);
    }
  }
  constexpr std::int64_t meanwhile = 16;  // cycles that are worth telling
  return asked && *asked + meanwhile <= wait.span.from ? asked : std::nullopt;
}

// Looks for a loop of the warp in the followed slot, and goes through the middle one of its passes.
void follow_loop(SchedulersSubject& s) {
  const auto moment = s.travel.at(s.sm, s.cycle);
  const auto& warps = moment->state.warps;
  const auto warp = std::ranges::find_if(warps, [&](const gpu::WarpState& one) { return one.place.slot == s.slot; });
  if (warp == warps.end()) return;
  s.loop = loop_near(s.travel, s.sm, warp->place, s.cycle);
  if (!s.loop || s.input.cycle) return;
  const gpu::LoopVisit& visit = s.loop->visit;
  const std::size_t middle = visit.passes() / 2;
  s.cycle = visit.starts[middle] + static_cast<std::int64_t>(std::llround(
                                       eased(s.input.moment.phase) * static_cast<double>(visit.cycles(middle) - 1)));
}

// The cycles to show. The picture stays while the cycle moves through it.
std::pair<std::int64_t, std::int64_t> window_of(const SchedulersSubject& s, std::int64_t width, bool width_set) {
  if (s.view.fits_wait && s.events.wait && !s.input.cycle) {
    const gpu::WarpSpan& span = s.events.wait->span;
    const std::int64_t length = span.to - span.from;
    if (!width_set) width = std::clamp(length + std::max<std::int64_t>(24, length / 2), usual_width, largest_width);
    return {span.from - (width - length) / 2, width};
  }
  if (const auto kept = s.input.set("schedulers", "from"); kept && s.input.cycle) {
    const auto from = static_cast<std::int64_t>(*kept);
    if (s.cycle >= from && s.cycle < from + width) return {from, width};
  }
  const std::int64_t page = width / 2;
  return {s.cycle / page * page - width / 4, width};
}

// Blocks on the SM while most warps are there, as launched.
std::int64_t blocks_at_a_time(const SceneInput& input, run::TimeTravel& travel, std::uint16_t sm) {
  return static_cast<std::int64_t>(
      travel.at(sm, events_of(travel, sm, block_on(input, travel, sm)).busiest)->blocks.size());
}

}  // namespace

SchedulersMotion to_busiest(const SmEvents& events, const BlockOnSm& followed) {
  SchedulersMotion motion = at_busiest(events, followed);
  motion.from = std::max<std::int64_t>(0, motion.to - 12);
  return motion;
}

SchedulersMotion at_contest(const SmEvents& events, const BlockOnSm& followed) {
  if (!events.contest) return after_wait(events, followed);
  const gpu::IssuedInstruction& issue = events.window->issues[*events.contest].what;
  return {issue.cycle, issue.cycle, issue.warp.slot};
}

SchedulersMotion into_wait(const SmEvents& events, const BlockOnSm& followed) {
  if (!events.wait) return at_busiest(events, followed);
  return {events.wait->span.from, middle_of(events.wait->span), events.wait->warp.slot};
}

SchedulersMotion out_of_wait(const SmEvents& events, const BlockOnSm& followed) {
  if (!events.wait) return at_busiest(events, followed);
  return {middle_of(events.wait->span), events.wait->span.to, events.wait->warp.slot};
}

SchedulersMotion after_wait(const SmEvents& events, const BlockOnSm& followed) {
  if (!events.wait) return at_busiest(events, followed);
  return {events.wait->span.to, events.wait->span.to, events.wait->warp.slot};
}

std::size_t SchedulersSubject::issued_by_neighbours(std::int64_t from, std::int64_t to) const {
  const auto neighbour = [&](const gpu::Issue& issue) {
    return issue.what.cycle >= from && issue.what.cycle < to && issue.what.warp.slot != slot &&
           issue.what.warp.slot % schedulers == slot % schedulers;
  };
  return static_cast<std::size_t>(std::ranges::count_if(window->issues, neighbour));
}

bool SchedulersSubject::has_neighbours(std::uint16_t of) const {
  return std::ranges::any_of(window->warps, [&](const gpu::WarpRow& row) {
    return row.place.slot != of && row.place.slot % schedulers == of % schedulers && !row.spans.empty();
  });
}

double SchedulersSubject::busy(int scheduler) const {
  const auto issued = std::ranges::count_if(
      window->issues, [&](const gpu::Issue& issue) { return issue.what.warp.slot % schedulers == scheduler; });
  return window->to > window->from ? static_cast<double>(issued) / static_cast<double>(window->to - window->from) : 0;
}

SchedulersSubject schedulers_subject(const Here& here) {
  const SceneInput& input = here.input;
  const SchedulersBeat& beat = *here.shown<SchedulersBeat>();
  const HistoryView& history = input.history;
  const bool shows_change = beat.what_if != nullptr;
  run::TimeTravel& travel = shows_change && history.changed != nullptr ? *history.changed : *history.travel;
  SchedulersSubject s{input, beat.more, shows_change, travel, *history.history, ControlSet(input, "schedulers")};
  s.sm = chosen_sm(s.controls, input, travel);
  s.end = travel.end(s.sm);
  const BlockOnSm followed = block_on(input, travel, s.sm);
  s.events = events_of(travel, s.sm, followed);
  const SchedulersMotion motion = s.view.motion(s.events, followed);
  const std::int64_t moved = std::llround(eased(input.moment.phase) * static_cast<double>(motion.to - motion.from));
  s.cycle = std::clamp<std::int64_t>(input.cycle.value_or(motion.from + moved), 0, s.end);
  s.slot = static_cast<std::uint16_t>(s.controls.pointed("warp", *travel.device().warps_per_sm - 1, motion.slot));
  if (s.view.shows_pipeline) follow_pipeline(s, followed.block);
  if (s.view.folds_loop) follow_loop(s);
  const bool width_set = input.set("schedulers", "width").has_value();
  std::int64_t width = window_of(s, usual_width, width_set).second;
  if (!s.loop) width = s.controls.slider("width", {48, 96, 192, 384, 768, 1536}, width, "fits");
  const std::int64_t from = window_of(s, width, true).first;
  const std::int64_t begin = std::clamp<std::int64_t>(from, 0, std::max<std::int64_t>(0, s.end - 1));
  s.window = travel.window(s.sm, begin, begin + width);
  s.now = travel.at(s.sm, s.cycle);
  s.this_cycle = travel.window(s.sm, s.cycle, s.cycle + 1);
  s.schedulers = static_cast<int>(*travel.device().sub_partitions);
  for (const gpu::WarpState& warp : s.now->state.warps)
    if (warp.place.slot == s.slot) s.warp = &warp;
  if (s.warp != nullptr) s.reason = s.warp->reason;
  // Its previous state may end in this cycle.
  for (const gpu::WarpRow& row : s.this_cycle->warps)
    if (row.place.slot == s.slot && !row.spans.empty()) s.reason = row.spans.front().reason;
  if (s.warp != nullptr) s.since = start_of_state(travel, s.sm, s.warp->place, s.cycle);
  if (s.events.wait) s.asked = asked_at(travel, s.sm, *s.events.wait);
  if (s.view.one_warp || (shows_change && chosen_change(input.controls).any()))
    add_change_controls(s.controls, input, blocks_at_a_time(input, *history.travel, s.sm), s.view.one_warp);
  if (!s.view.chooses_stop) return s;
  std::vector<std::string> stops;
  for (const char* const key : {"issue", "stall", "barrier", "memory", "branch", "pass", "finding"})
    if (key != std::string_view("finding") || !s.history.simulation.findings.empty())
      stops.push_back(input.narration.text("schedulers.stop", key));
  const CycleEvent usual = s.view.usual_stop;
  s.controls.choice("stop", std::move(stops), static_cast<std::size_t>(usual),
                    usual == CycleEvent::issue ? "stops" : "passes");
  return s;
}

}  // namespace warpwalk::story
