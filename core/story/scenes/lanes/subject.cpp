#include <algorithm>

#include "core/gpu/timing/coalescer.h"
#include "core/run/replay/history.h"
#include "core/run/replay/timed_writer.h"
#include "core/story/scenes/lanes/lanes.h"

namespace warpwalk::story {
namespace {

using gpu::LoggedAccess;

const LoggedAccess* access_of(const gpu::Issue& issue) {
  return issue.accesses.empty() ? nullptr : &issue.accesses.front();
}

// The ways of the lines that the issue asked for, each once. Lines that hit in L1 make no trip.
std::vector<gpu::RequestTrip> trips_of(const LanesSubject& s) {
  std::vector<gpu::RequestTrip> trips;
  if (s.space() != LanesAccess::global || s.access->writes) return trips;
  const gpu::CoalescedAccess lines = gpu::coalesce(*s.access);
  for (const gpu::RequestTrip& trip : s.window->trips) {
    const auto asked = [&](const gpu::LineAccess& line) { return line.line == trip.line; };
    if (std::ranges::find(trip.slots, s.issue->what.warp.slot) == trip.slots.end()) continue;
    if (trip.back_at < s.issue->what.cycle || (s.result && trip.back_at > *s.result)) continue;
    if (std::none_of(lines.lines.begin(), lines.lines.begin() + lines.count, asked)) continue;
    const bool known =
        std::ranges::any_of(trips, [&](const gpu::RequestTrip& other) { return other.line == trip.line; });
    if (!known || s.result) trips.push_back(trip);
  }
  std::ranges::sort(trips, {}, [](const gpu::RequestTrip& trip) { return std::pair(trip.line, trip.back_at); });
  return trips;
}

const gpu::WarpState* warp_in(const run::SmMoment& moment, const gpu::WarpPlace& place) {
  for (const gpu::WarpState& warp : moment.state.warps)
    if (warp.place == place) return &warp;
  return nullptr;
}

// The dependence counter that an instruction has counted up; none if it counts up none.
std::optional<unsigned> counter_of(const run::SmMoment& after, const gpu::IssuedInstruction& what) {
  const gpu::WarpState* const warp = warp_in(after, what.warp);
  if (warp == nullptr) return {};
  for (unsigned counter = 0; counter < warp->dependences.size(); ++counter) {
    const gpu::DependenceState& dependence = warp->dependences[counter];
    if (dependence.pending > 0 && dependence.set_by == what.instruction && dependence.set_at == what.cycle)
      return counter;
  }
  return {};
}

}  // namespace

LanesAccess LanesSubject::space() const {
  if (access == nullptr) return LanesAccess::none;
  switch (access->space) {
    case LoggedAccess::Space::global: return LanesAccess::global;
    case LoggedAccess::Space::shared: return LanesAccess::shared;
    case LoggedAccess::Space::local: return LanesAccess::local;
  }
  return LanesAccess::none;
}

LanesSubject lanes_subject(const SceneInput& input, const LanesView& view) {
  constexpr std::size_t around = 6;
  run::TimeTravel& travel = *input.history.travel;
  LanesSubject s{input, view, travel, *input.history.history, ControlSet(input, "lanes")};
  const gpu::Finding* const finding = view.seeks_error ? first_error(s.history) : nullptr;
  if (finding != nullptr) s.error = place_of_error(travel, s.history, *finding);
  s.sm = chosen_sm(s.controls, input, travel, s.error ? std::optional(s.error->sm) : std::nullopt);
  s.end = travel.end(s.sm);
  BlockOnSm followed = block_on(input, travel, s.sm);
  s.window = travel.window(s.sm, followed.searched_from(), followed.searched_from() + searched_cycles);
  const auto set = input.set("schedulers", "warp");
  const gpu::Issue* found = followed_issue(view.search, s, followed, set);
  // Few blocks diverge at the edge of a matrix; the followed SM need not have one of them.
  if (found == nullptr && view.seeks_sm && !input.cycle && !input.set("lanes", "sm"))
    if (const auto other = travel.divergent_sm(searched_cycles)) {
      s.sm = *other;
      s.elsewhere = true;
      s.controls.last().value = *other;
      s.controls.last().shown = std::to_string(*other);
      s.controls.last().source = input.narration.text("lanes.control", "divides");
      s.end = travel.end(s.sm);
      followed = block_on(input, travel, s.sm);
      s.window = travel.window(s.sm, 0, searched_cycles);
      found = followed_issue(view.search, s, followed, {});
    }
  if (found == nullptr && !view.any_instruction) {
    s.present = false;
    found = followed_issue(for_arithmetic, s, followed, {});
  }
  const bool at_error = s.error && s.error->sm == s.sm;
  std::int64_t usual = at_error           ? s.error->warp.slot
                       : found != nullptr ? found->what.warp.slot
                       : set              ? static_cast<std::int64_t>(*set)
                                          : 0;
  // A byte of a buffer: the instruction that wrote it.
  std::optional<run::IssuePlace> writer;
  if (view.any_instruction && input.set("lanes", "asked") == AskedAbout::buffer) {
    answer_asked(s, true);
    if (s.asked && s.asked->answer != nullptr && !s.asked->answer->places.empty() && !input.cycle &&
        s.asked->answer->places.back().cycle >= 0) {
      writer = s.asked->answer->places.back();
      s.sm = writer->sm;
      s.end = travel.end(s.sm);
      usual = writer->warp.slot;
    }
  }
  s.slot = static_cast<std::uint16_t>(s.controls.pointed("warp", *travel.device().warps_per_sm - 1, usual));
  s.issue = found;
  if (input.cycle || s.slot != usual || view.any_instruction || at_error) {
    s.present = true;
    // The last instruction of this warp up to the cycle, or its next one.
    const std::int64_t cycle = input.cycle.value_or(writer             ? writer->cycle
                                                    : at_error         ? s.error->cycle
                                                    : found != nullptr ? found->what.cycle
                                                                       : 0);
    constexpr std::int64_t reach = 2048;
    s.window = travel.window(s.sm, std::max<std::int64_t>(0, cycle - reach), cycle + reach);
    s.issue = nullptr;
    for (const gpu::Issue& issue : s.window->issues) {
      if (issue.what.warp.slot != s.slot) continue;
      if (issue.what.cycle > cycle && s.issue != nullptr) break;
      s.issue = &issue;
      if (issue.what.cycle > cycle) break;
    }
  }
  if (s.issue == nullptr) return s;
  const gpu::IssuedInstruction& what = s.issue->what;
  s.access = access_of(*s.issue);
  if (view.any_instruction && input.set("lanes", "asked") != AskedAbout::buffer) answer_asked(s, false);
  s.text = instruction_text(travel, s.history, what.instruction);
  s.before = travel.at(s.sm, what.cycle);
  s.after = travel.at(s.sm, what.cycle + 1);
  if (const gpu::WarpState* const warp = warp_in(*s.before, what.warp)) s.warp_before = warp->warp;
  if (const gpu::WarpState* const warp = warp_in(*s.after, what.warp)) s.warp_after = warp->warp;
  s.copies = s.text.text.find("LDGSTS") != std::string::npos || s.text.text.find("cp.async.c") != std::string::npos;
  for (const gpu::Return& result : s.window->returns)
    if (!s.copies && !s.result && result.warp == what.warp && result.cycle > what.cycle &&
        result.set_by == what.instruction && result.from_memory)
      s.result = result.cycle;
  s.trips = trips_of(s);
  // No counter stands for one copy alone: its data is there when its lines are.
  if (s.copies && !s.trips.empty())
    s.result = std::ranges::max_element(s.trips, {}, &gpu::RequestTrip::back_at)->back_at;
  // A counter that several instructions share names the last of them. Then the lines tell when this one's values are
  // there.
  if (const auto counter = counter_of(*s.after, what); counter && !s.result && !s.trips.empty()) {
    const std::int64_t last = std::ranges::max_element(s.trips, {}, &gpu::RequestTrip::back_at)->back_at;
    for (const gpu::Return& result : s.window->returns)
      if (!s.result && result.warp == what.warp && result.counter == *counter && result.cycle >= last)
        s.result = result.cycle;
  }
  if (s.warp_before != nullptr && s.warp_after != nullptr)
    s.product = gpu::mma_operands(travel.program(), what.instruction, *s.warp_before, *s.warp_after);
  if (s.product) s.lane = static_cast<int>(s.controls.slider("lane", steps_by(0, 31, 1), 0, "first_lane"));
  std::vector<const gpu::Issue*> own;
  std::size_t at = 0;
  for (const gpu::Issue& issue : s.window->issues) {
    if (!(issue.what.warp == what.warp)) continue;
    if (&issue == s.issue) at = own.size();
    own.push_back(&issue);
  }
  const std::size_t first = at > around ? at - around : 0;
  s.neighbours.assign(own.begin() + static_cast<std::ptrdiff_t>(first),
                      own.begin() + static_cast<std::ptrdiff_t>(std::min(own.size(), first + 2 * around)));
  return s;
}

}  // namespace warpwalk::story
