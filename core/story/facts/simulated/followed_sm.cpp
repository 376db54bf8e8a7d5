#include "core/story/facts/simulated/followed_sm.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/timing/instruction_timing.h"
#include "core/run/replay/history.h"
#include "core/run/replay/number_trail.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/words/common_stage.h"

namespace warpwalk::story {
namespace {

using gpu::StallReason;

constexpr std::int64_t searched_ahead = 100'000;  // cycles

// How well a wait shows what the scene explains; 0: not at all.
int interest(StallReason reason) {
  switch (reason) {
    case StallReason::long_scoreboard: return 3;
    case StallReason::short_scoreboard: return 2;
    case StallReason::barrier: return 1;
    default: return 0;
  }
}

// The cycles at which an event of this kind happens to a slot in a window, ascending.
// `wanted`: for a pass or a finding, whether an instruction of the program counts.
std::vector<std::int64_t> events_in(const gpu::SmWindow& window, std::uint16_t slot, CycleEvent event,
                                    const std::function<bool(std::uint32_t)>& wanted) {
  std::vector<std::int64_t> cycles;
  if (event != CycleEvent::stall && event != CycleEvent::barrier && event != CycleEvent::memory) {
    for (std::size_t i = 0; i < window.issues.size(); ++i) {
      const gpu::IssuedInstruction& issue = window.issues[i].what;
      if (issue.warp.slot != slot) continue;
      if (event == CycleEvent::pass || event == CycleEvent::finding) {
        if (wanted(issue.instruction)) cycles.push_back(issue.cycle);
        continue;
      }
      if (event == CycleEvent::issue) {
        cycles.push_back(issue.cycle);
        continue;
      }
      // A branch that divides the warp, or joins it: other lanes are active afterwards.
      const auto next = std::find_if(window.issues.begin() + static_cast<std::ptrdiff_t>(i) + 1, window.issues.end(),
                                     [&](const gpu::Issue& later) { return later.what.warp == issue.warp; });
      if (next != window.issues.end() && next->what.lanes != issue.lanes) cycles.push_back(next->what.cycle);
    }
    return cycles;
  }
  if (event == CycleEvent::memory) {
    for (const gpu::Return& result : window.returns)
      if (result.warp.slot == slot && result.from_memory) cycles.push_back(result.cycle);
    return cycles;
  }
  for (const gpu::WarpRow& row : window.warps) {
    if (row.place.slot != slot) continue;
    for (const gpu::WarpSpan& span : row.spans) {
      const bool counts =
          event == CycleEvent::barrier ? span.reason == StallReason::barrier : interest(span.reason) >= 2;
      // A span that began before the window was found there.
      if (counts && span.from > window.from) cycles.push_back(span.from);
    }
  }
  std::ranges::sort(cycles);
  return cycles;
}

// The instruction that a slot's warp issues in a cycle, or next.
std::uint32_t instruction_at(run::TimeTravel& travel, std::uint16_t sm, std::uint16_t slot, std::int64_t cycle) {
  const auto moment = travel.at(sm, cycle);
  for (const gpu::WarpState& warp : moment->state.warps)
    if (warp.place.slot == slot) return warp.instruction;
  return 0;
}

}  // namespace

std::optional<std::int64_t> block_start(const run::TimeTravel& travel, std::uint16_t sm, std::uint64_t block) {
  for (const gpu::SmInput& input : travel.record().sms[sm].inputs)
    if (input.block && input.id == block) return static_cast<std::int64_t>(input.time);
  return {};
}

BlockOnSm block_on(const SceneInput& input, const run::TimeTravel& travel, std::uint16_t sm) {
  const std::uint64_t followed = followed_block(input, travel.timing().sm.size());
  if (const auto start = block_start(travel, sm, followed)) {
    const run::NumberTrail* const trail = input.history.trail;
    const bool of_number = trail != nullptr && trail->warp.block == followed;
    return {followed, of_number ? trail->warp.warp : 0, *start};
  }
  for (const gpu::SmInput& first : travel.record().sms[sm].inputs)
    if (first.block) return {first.id, 0, static_cast<std::int64_t>(first.time)};
  return {};
}

SmEvents events_of(run::TimeTravel& travel, std::uint16_t sm, const BlockOnSm& followed) {
  SmEvents events;
  const std::int64_t from = followed.searched_from();
  events.window = travel.window(sm, from, from + searched_cycles);
  const std::vector<gpu::Issue>& issues = events.window->issues;
  // Of equally busy cycles, the first in which a followed warp issues.
  std::pair<std::size_t, int> best_busy = {0, 0};
  for (std::size_t i = 0; i < issues.size();) {
    std::size_t end = i;
    int rank = 0;
    for (; end < issues.size() && issues[end].what.cycle == issues[i].what.cycle; ++end)
      rank = std::max(rank, followed.rank(issues[end].what.warp));
    if (const std::pair here(end - i, rank); here > best_busy) {
      best_busy = here;
      events.busiest = issues[i].what.cycle;
    }
    i = end;
  }
  // Of equal choices, the one that a followed warp wins.
  std::pair<int, int> best_contest = {1, 2};
  for (std::size_t i = 0; i < issues.size(); ++i)
    if (const std::pair here(std::popcount(issues[i].what.eligible), followed.rank(issues[i].what.warp));
        here > best_contest) {
      best_contest = here;
      events.contest = i;
    }
  // The wait that other warps of the same scheduler hide best; without any, the longest.
  const auto schedulers = static_cast<std::uint16_t>(*travel.device().sub_partitions);
  const auto hidden = [&](const gpu::WarpRow& row, const gpu::WarpSpan& span) {
    return std::ranges::count_if(issues, [&](const gpu::Issue& issue) {
      return issue.what.cycle >= span.from && issue.what.cycle < span.to && issue.what.warp.slot != row.place.slot &&
             issue.what.warp.slot % schedulers == row.place.slot % schedulers;
    });
  };
  std::tuple<int, int, std::ptrdiff_t, std::int64_t> best_wait = {0, 0, 0, 0};
  for (const gpu::WarpRow& row : events.window->warps)
    for (const gpu::WarpSpan& span : row.spans) {
      if (interest(span.reason) == 0 || span.to == events.window->to) continue;
      const int worth = interest(span.reason), rank = followed.rank(row.place);
      if (std::tuple(worth, rank) < std::tuple(std::get<0>(best_wait), std::get<1>(best_wait))) continue;
      const std::tuple here(worth, rank, hidden(row, span), span.to - span.from);
      if (here <= best_wait) continue;
      best_wait = here;
      events.wait = {row.place, span};
    }
  return events;
}

std::uint16_t chosen_sm(ControlSet& controls, const SceneInput& input, const run::TimeTravel& travel,
                        std::optional<std::uint16_t> usual) {
  std::vector<double> steps(travel.busy_sms().begin(), travel.busy_sms().end());
  if (steps.empty()) return 0;
  const auto busy = [&](double sm) { return std::ranges::find(steps, sm) != steps.end(); };
  if (usual) return static_cast<std::uint16_t>(controls.slider("sm", std::move(steps), *usual, "error"));
  for (const std::string_view scene : {"schedulers", "lanes", "sm", "launch", "map"})
    if (const auto set = input.set(scene, "sm"); set && busy(*set))
      return static_cast<std::uint16_t>(
          controls.slider("sm", std::move(steps), static_cast<std::int64_t>(*set), "elsewhere"));
  const std::vector<gpu::SmId>& placed = travel.timing().sm;
  const std::uint64_t block = followed_block(input, placed.size());
  const double sm = block < placed.size() && busy(placed[block]) ? placed[block] : steps.front();
  return static_cast<std::uint16_t>(controls.slider("sm", std::move(steps), static_cast<std::int64_t>(sm), "first"));
}

std::int64_t start_of_state(run::TimeTravel& travel, std::uint16_t sm, const gpu::WarpPlace& warp, std::int64_t cycle) {
  const std::int64_t limit = std::max<std::int64_t>(0, cycle - searched_ahead);
  std::int64_t began = cycle;
  std::optional<gpu::WarpSpan> state;
  for (std::int64_t to = cycle + 1; to > limit;) {
    const auto window = travel.window(sm, std::max(limit, to - searched_cycles), to);
    const gpu::WarpSpan* last = nullptr;
    for (const gpu::WarpRow& row : window->warps)
      for (const gpu::WarpSpan& span : row.spans)
        if (row.place == warp && span.to == to) last = &span;
    if (last == nullptr) return began;
    if (state && (last->reason != state->reason || last->instruction != state->instruction)) return began;
    state = *last;
    began = last->from;
    if (began > window->from) return began;
    to = began;
  }
  return began;
}

std::optional<std::int64_t> end_of_state(run::TimeTravel& travel, std::uint16_t sm, const gpu::WarpPlace& warp,
                                         std::int64_t cycle) {
  const std::int64_t end = std::min(travel.end(sm), cycle + searched_ahead);
  for (std::int64_t from = cycle; from < end;) {
    const auto window = travel.window(sm, from, std::min(end, from + searched_cycles));
    std::int64_t reached = from;
    for (const gpu::WarpRow& row : window->warps)
      for (const gpu::WarpSpan& span : row.spans)
        if (row.place == warp && span.from <= from && from < span.to) reached = span.to;
    if (reached < window->to) return reached;
    from = window->to;
  }
  return {};
}

std::string warp_name(const Narration& narration, const gpu::WarpPlace& warp) {
  return narration.text(
      "inner", "warp",
      {{"warp", std::to_string(warp.warp)}, {"block", with_thousands(static_cast<std::int64_t>(warp.block))}});
}

std::string missing_cycles(const SceneInput& input, Narration::Values& values) {
  using State = HistoryView::State;
  const HistoryView& view = input.history;
  add_history_values(input, values);
  values["reason"] = view.state == State::impossible ? history_reason(input) : view.no_travel;
  if (view.state == State::ready)
    values["simulated"] = view.stand_in() ? stand_in_text(input.narration, *view.history) : view.history->entry;
  if (view.state == State::none) return "none";
  if (view.state == State::building) return "building";
  if (view.state == State::impossible || (view.travel == nullptr && !view.no_travel.empty())) return "impossible";
  if (view.travel == nullptr) {
    values["percent"] = fmt::format("{:.0f}", 100 * view.travel_done);
    return "timing";
  }
  return view.travel->busy_sms().empty() ? "none" : "";
}

ErrorThread thread_of(const run::History& history, const gpu::Finding& finding) {
  const auto linear = [](const std::array<std::uint32_t, 3>& at, const std::array<std::uint32_t, 3>& size) {
    return at[0] + std::uint64_t{size[0]} * (at[1] + std::uint64_t{size[1]} * at[2]);
  };
  const std::uint64_t thread = linear(finding.thread, history.before.block);
  return {linear(finding.block, history.before.grid), static_cast<std::uint32_t>(thread / 32),
          static_cast<int>(thread % 32)};
}

FoundError error_at(const run::TimeTravel& travel, const run::History& history, const gpu::WarpPlace& place,
                    std::uint32_t instruction) {
  FoundError found;
  if (history.simulation.findings.empty()) return found;
  const InstructionText text = instruction_text(travel, history, instruction);
  const bool ptx = !travel.program().machine_code;
  for (const gpu::Finding& finding : history.simulation.findings) {
    const bool own_line =
        finding.source_line == 0 ? ptx && text.number == finding.ptx_line : text.source_line == finding.source_line;
    // The other access of a race is one of another thread.
    const bool other_line = finding.other_line != 0 && text.source_line == finding.other_line;
    if (!own_line && !other_line) continue;
    const ErrorThread thread = thread_of(history, finding);
    const bool by_warp = own_line && thread.block == place.block && thread.warp == place.warp;
    if (found.finding == nullptr || by_warp) found = {&finding, by_warp};
    if (by_warp) break;
  }
  return found;
}

std::string error_text(const Narration& narration, const run::History& history, const FoundError& error) {
  if (error.by_warp) return error.finding->message;
  const ErrorThread thread = thread_of(history, *error.finding);
  gpu::WarpPlace place;
  place.block = thread.block;
  place.warp = thread.warp;
  return fmt::format("{}: {}", warp_name(narration, place), error.finding->message);
}

std::optional<std::int64_t> find_event(run::TimeTravel& travel, const run::History& history, std::uint16_t sm,
                                       std::uint16_t slot, CycleEvent event, std::int64_t cycle, bool forward) {
  constexpr std::int64_t limit = searched_ahead, step = 2048;
  const std::int64_t end = travel.end(sm);
  const std::uint32_t same = event == CycleEvent::pass ? instruction_at(travel, sm, slot, cycle) : 0;
  const auto wanted = [&](std::uint32_t instruction) {
    return event == CycleEvent::pass ? instruction == same
                                     : error_at(travel, history, {}, instruction).finding != nullptr;
  };
  if (event == CycleEvent::finding && history.simulation.findings.empty()) return {};
  for (std::int64_t gone = 0; gone < limit; gone += step) {
    const std::int64_t from = forward ? cycle + gone : cycle - gone - step;
    if (forward ? from >= end : from + step <= 0) return {};
    // One cycle more on both sides, so that what begins exactly there is seen.
    const auto window = travel.window(sm, std::max<std::int64_t>(0, from - 1), std::min(end, from + step + 1));
    const std::vector<std::int64_t> cycles = events_in(*window, slot, event, wanted);
    if (forward) {
      const auto next = std::ranges::upper_bound(cycles, cycle);
      if (next != cycles.end()) return *next;
    } else {
      const auto last = std::ranges::lower_bound(cycles, cycle);
      if (last != cycles.begin()) return *(last - 1);
    }
  }
  return {};
}

}  // namespace warpwalk::story
