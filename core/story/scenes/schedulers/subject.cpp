#include <algorithm>
#include <cmath>

#include "core/run/replay/history.h"
#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t usual_width = 96;
constexpr std::int64_t largest_width = 1536;

// The cycle that a beat is about; its motion goes there.
std::int64_t cycle_of(const SceneInput& input, std::string_view beat, const SmEvents& events) {
  if (input.cycle) return *input.cycle;
  const double phase = eased(input.moment.phase);
  const auto moved = [&](std::int64_t from, std::int64_t to) {
    return from + static_cast<std::int64_t>(std::llround(phase * static_cast<double>(to - from)));
  };
  if (beat == "rule") return moved(std::max<std::int64_t>(0, events.busiest - 12), events.busiest);
  if (beat == "pick" && events.contest) return events.window->issues[*events.contest].what.cycle;
  if (!events.wait) return events.busiest;
  const gpu::WarpSpan& span = events.wait->span;
  if (beat == "wait") return moved(span.from, span.from + (span.to - span.from) / 2);
  return beat == "return" ? moved(span.from + (span.to - span.from) / 2, span.to) : span.to;
}

std::uint16_t slot_of(std::string_view beat, const SmEvents& events, const BlockOnSm& followed) {
  if (beat == "pick" && events.contest) return events.window->issues[*events.contest].what.warp.slot;
  if (beat == "rule" || !events.wait) {
    std::uint16_t slot = 0;
    int best = -1;
    for (const gpu::Issue& issue : events.window->issues) {
      if (issue.what.cycle != events.busiest || followed.rank(issue.what.warp) <= best) continue;
      best = followed.rank(issue.what.warp);
      slot = issue.what.warp.slot;
    }
    return slot;
  }
  return events.wait->warp.slot;
}

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
void follow_loop(const SceneInput& input, SchedulersSubject& s) {
  const auto moment = s.travel.at(s.sm, s.cycle);
  const auto& warps = moment->state.warps;
  const auto warp = std::ranges::find_if(warps, [&](const gpu::WarpState& one) { return one.place.slot == s.slot; });
  if (warp == warps.end()) return;
  s.loop = loop_near(s.travel, s.sm, warp->place, s.cycle);
  if (!s.loop || input.cycle) return;
  const gpu::LoopVisit& visit = s.loop->visit;
  const std::size_t middle = visit.passes() / 2;
  s.cycle = visit.starts[middle] + static_cast<std::int64_t>(std::llround(
                                       eased(input.moment.phase) * static_cast<double>(visit.cycles(middle) - 1)));
}

// The cycles to show. The picture stays while the cycle moves through it.
std::pair<std::int64_t, std::int64_t> window_of(const SceneInput& input, std::string_view beat, const SmEvents& events,
                                                std::int64_t cycle, std::int64_t width, bool width_set) {
  const bool about_wait = beat == "wait" || beat == "return" || beat == "hide";
  if (about_wait && events.wait && !input.cycle) {
    const gpu::WarpSpan& span = events.wait->span;
    const std::int64_t length = span.to - span.from;
    if (!width_set) width = std::clamp(length + std::max<std::int64_t>(24, length / 2), usual_width, largest_width);
    return {span.from - (width - length) / 2, width};
  }
  if (const auto kept = input.set("schedulers", "from"); kept && input.cycle) {
    const auto from = static_cast<std::int64_t>(*kept);
    if (cycle >= from && cycle < from + width) return {from, width};
  }
  const std::int64_t page = width / 2;
  return {cycle / page * page - width / 4, width};
}

// Blocks on the SM while most warps are there, as launched.
std::int64_t blocks_at_a_time(const SceneInput& input, run::TimeTravel& travel, std::uint16_t sm) {
  return static_cast<std::int64_t>(
      travel.at(sm, events_of(travel, sm, block_on(input, travel, sm)).busiest)->blocks.size());
}

}  // namespace

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

bool shows_change(std::string_view beat) { return beat == "alone" || beat == "any"; }

std::int64_t usual_stop(std::string_view beat) {
  return static_cast<std::int64_t>(beat == "loop" ? CycleEvent::pass : CycleEvent::issue);
}

SchedulersSubject schedulers_subject(const SceneInput& input, std::string_view beat) {
  const HistoryView& view = input.history;
  run::TimeTravel& travel = shows_change(beat) && view.changed != nullptr ? *view.changed : *view.travel;
  SchedulersSubject s{travel, *input.history.history, ControlSet(input, "schedulers")};
  s.sm = chosen_sm(s.controls, input, travel);
  s.end = travel.end(s.sm);
  const BlockOnSm followed = block_on(input, travel, s.sm);
  s.events = events_of(travel, s.sm, followed);
  s.cycle = std::clamp<std::int64_t>(cycle_of(input, beat, s.events), 0, s.end);
  s.slot = static_cast<std::uint16_t>(
      s.controls.pointed("warp", *travel.device().warps_per_sm - 1, slot_of(beat, s.events, followed)));
  if (beat == "loop") follow_loop(input, s);
  const bool width_set = input.set("schedulers", "width").has_value();
  std::int64_t width = window_of(input, beat, s.events, s.cycle, usual_width, width_set).second;
  if (!s.loop) width = s.controls.slider("width", {48, 96, 192, 384, 768, 1536}, width, "fits");
  const std::int64_t from = window_of(input, beat, s.events, s.cycle, width, true).first;
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
  if (beat == "alone" || (shows_change(beat) && chosen_change(input.controls).any()))
    add_change_controls(s.controls, input, blocks_at_a_time(input, *view.travel, s.sm), beat == "alone");
  std::vector<std::string> stops;
  for (const char* const key : {"issue", "stall", "barrier", "memory", "branch", "pass", "finding"})
    if (key != std::string_view("finding") || !s.history.simulation.findings.empty())
      stops.push_back(input.narration.text("schedulers.stop", key));
  const std::int64_t usual = usual_stop(beat);
  if (beat != "alone" && beat != "gpu")
    s.controls.choice("stop", std::move(stops), usual, usual == 0 ? "stops" : "passes");
  return s;
}

}  // namespace warpwalk::story
