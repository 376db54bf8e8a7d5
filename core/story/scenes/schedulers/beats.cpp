// Scene 6, the regional managers: four schedulers pick warps. First the rule, then a choice, then a warp that waits
// while others issue.
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/run/replay/history.h"
#include "core/story/beats/with_cycles.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/code/instruction_words.h"
#include "core/story/facts/launch/launch_plan.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/scenes/scenes.h"
#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {
namespace {

using gpu::StallReason;

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

Narration::Values values_of(const SchedulersSubject& s) {
  const SceneInput& input = s.input;
  Narration::Values values = common_values(input);
  const auto number = [](std::int64_t n) { return with_thousands(n); };
  values["sm"] = std::to_string(s.sm);
  values["cycle"] = number(s.cycle);
  values["schedulers"] = std::to_string(s.schedulers);
  values["issued"] = std::to_string(s.this_cycle->issues.size());
  values["warps"] = count_text(input.narration, "warp", static_cast<std::int64_t>(s.now->state.warps.size()));
  if (s.warp != nullptr) {
    values["warp"] = warp_name(input.narration, s.warp->place);
    values["instruction"] = instruction_text(s.travel, s.history, s.warp->instruction).text;
    const std::string does = instruction_words(input.narration, values["instruction"]).does;
    if (!does.empty()) values["instruction"] += ": " + does;
    values["state"] = stall_sentence(input.narration, s.reason);
    values["since"] = number(s.since);
  }
  add_loop_values(s, values);
  values["Warp"] = capitalised(values["warp"]);
  const HistoryView& view = input.history;
  values["change_percent"] = fmt::format("{:.0f}", 100 * view.changed_done);
  values["slots"] = fmt::format("{:.0f}", slots_used(view.travel->timing()));
  if (view.changed != nullptr) values["slots_changed"] = fmt::format("{:.0f}", slots_used(view.changed->timing()));
  const run::TimeTravel& travel = s.travel;
  values["busy_sms"] = std::to_string(travel.busy_sms().size());
  values["sms"] = std::to_string(travel.record().sms.size());
  if (s.events.contest) {
    const gpu::IssuedInstruction& issue = s.events.window->issues[*s.events.contest].what;
    values["eligible"] = count_text(input.narration, "warp", std::popcount(issue.eligible));
    values["picked"] = warp_name(input.narration, issue.warp);
  }
  if (s.events.wait) {
    const gpu::WarpSpan& span = s.events.wait->span;
    values["waiter"] = warp_name(input.narration, s.events.wait->warp);
    values["Waiter"] = capitalised(values["waiter"]);
    values["wait"] = count_text(input.narration, "cycle", span.to - span.from);
    values["wait_from"] = number(span.from);
    values["wait_to"] = number(span.to);
    if (s.asked) {
      values["asked"] = number(*s.asked);
      values["way"] = count_text(input.narration, "cycle", span.to - *s.asked);
      values["worked"] = count_text(input.narration, "cycle", span.from - *s.asked);
    }
    values["wait_for"] = stall_sentence(input.narration, span.reason);
    const auto others = s.issued_by_neighbours(span.from, span.to);
    values["others"] = count_text(input.narration, "instruction", static_cast<std::int64_t>(others));
    values["scheduler"] = std::to_string(s.events.wait->warp.slot % s.schedulers);
    values["others_percent"] =
        fmt::format("{:.0f}", 100 * static_cast<double>(others) / static_cast<double>(span.to - span.from));
  }
  return values;
}

void cycle_facts(const SchedulersSubject& s, FactWriter& facts) {
  const SceneInput& input = s.input;
  const auto simulated = [&](std::string_view key, std::string text) {
    facts.fact(key, Figure::recorded(std::move(text), Origin::simulated));
  };
  simulated("cycle", with_thousands(s.cycle));
  simulated("issued", facts.word("say", "issued"));
  if (s.warp != nullptr) {
    simulated("warp", warp_name(input.narration, s.warp->place));
    simulated("state", state_word(input.narration, s.reason));
    simulated("since", facts.word("say", "since"));
  }
  if (s.shows_change && input.history.what_if.any() && input.history.changed == nullptr)
    facts.fact("change", Figure::explained(input.history.no_changed.empty() ? facts.word("say", "change")
                                                                            : input.history.no_changed));
  double busy = 0;
  for (int scheduler = 0; scheduler < s.schedulers; ++scheduler) busy += s.busy(scheduler);
  facts.derived("busy", 100 * busy / s.schedulers, Unit::percent);
  if (s.travel.timing().cut)
    simulated("cut", with_thousands(s.end));
  else
    facts.fact("cycles", Figure::recorded(s.travel.timing().cycles, Unit::count, Origin::simulated));
  if (s.travel.timing().estimated) facts.fact("schedule", Figure::explained(facts.word("say", "estimated")));
  if (s.history.stand_in)
    facts.fact("stand_in", Figure::recorded(stand_in_text(input.narration, s.history), Origin::simulated));
  add_replay_facts(input, facts.stage());
}

void complete(SchedulersSubject& s, const Narration::Values&, Stage& stage) {
  stage.cycle = CyclePlace{s.cycle, s.end};
  stage.controls = s.controls.take();
}

// Which wait the launch has, as the end of a section; nothing after it for a wait for memory.
std::string_view kind_of_wait(const SchedulersSubject& s) {
  if (!s.events.wait) return ".none";
  switch (s.events.wait->span.reason) {
    case gpu::StallReason::long_scoreboard: return "";
    case gpu::StallReason::barrier: return ".barrier";
    default: return ".short";
  }
}

std::string pick_section(const SchedulersSubject& s) { return s.events.contest ? "pick" : "pick.none"; }

std::string scheduler_wait_section(const SchedulersSubject& s) {
  const std::string_view kind = kind_of_wait(s);
  return kind.empty() && s.asked ? "wait.asked" : fmt::format("wait{}", kind);
}

std::string return_section(const SchedulersSubject& s) { return fmt::format("return{}", kind_of_wait(s)); }

std::string hide_section(const SchedulersSubject& s) {
  if (!s.events.wait) return "hide.none";
  if (!s.has_neighbours(s.events.wait->warp.slot)) return "hide.single";
  return kind_of_wait(s).empty() ? "hide" : "hide.short";
}

std::string loop_section(const SchedulersSubject& s) {
  return s.loop ? "loop" : s.warp == nullptr ? "loop.free" : "loop.none";
}

std::string alone_section(const SchedulersSubject& s) {
  const HistoryView& history = s.input.history;
  if (history.changed == nullptr) return "alone.timing";
  const gpu::LaunchTiming &as_is = history.travel->timing(), &changed = history.changed->timing();
  const bool same = std::llround(slots_used(as_is)) == std::llround(slots_used(changed));
  return same ? "alone.same" : "alone";
}

std::string any_section(const SchedulersSubject& s) { return s.warp == nullptr ? "any.free" : "any"; }

run::WhatIf one_warp_unless_chosen(const Controls& controls) {
  run::WhatIf change = chosen_change(controls);
  if (!controls.get("schedulers", "policy")) change.policy = gpu::IssuePolicy::one_at_a_time;
  return change;
}

// The next or the previous cycle at which the kind of event that the person chose happens to the followed warp.
std::optional<std::int64_t> next_stop_of(const SchedulersSubject& s, bool forward) {
  const auto usual = static_cast<double>(s.view.usual_stop);
  const auto kind = static_cast<std::size_t>(s.input.set("schedulers", "stop").value_or(usual));
  return find_event(s.travel, s.history, s.sm, s.slot, static_cast<CycleEvent>(std::min(kind, cycle_events - 1)),
                    s.cycle, forward);
}

// Without a second warp, a scheduler has nothing to pick, and nothing to hide a wait with.
std::optional<std::int64_t> anchor_of_several(const WalkTimes& t) {
  return one_warp_per_scheduler(t.trace, t.walk) ? std::nullopt : kernel_anchor(t);
}

// Only blocks of several warps hand data over through shared memory.
std::optional<std::int64_t> anchor_of_shared_memory(const WalkTimes& t) {
  const trace::KernelDetail* const kernel = kernel_detail(t.trace, t.walk);
  if (kernel == nullptr || kernel->shared_bytes <= 0) return {};
  const auto threads = analysis::blocks_of(kernel->block);
  return threads && *threads > 32 ? kernel_anchor(t) : std::nullopt;
}

constexpr Frame<SchedulersSubject, SchedulersView> at_schedulers = {.subject = schedulers_subject,
                                                                    .stop = "scheduler",
                                                                    .instead = without_cycles,
                                                                    .values = values_of,
                                                                    .facts = cycle_facts,
                                                                    .complete = complete};
constexpr Frame<WordsAlone> words_at_schedulers = {.subject = words_alone, .stop = "scheduler"};

constexpr SchedulersBeat rule_beat = {.key = "rule",
                                      .anchor = kernel_anchor,
                                      .needs = Needs::cycles,
                                      .first_route = true,
                                      .panels = cycles_panels,
                                      .next_cycle = next_stop_of,
                                      .more = {.motion = to_busiest}};
constexpr SchedulersBeat pick_beat = {.key = "pick",
                                      .anchor = anchor_of_several,
                                      .needs = Needs::cycles,
                                      .section = pick_section,
                                      .panels = cycles_panels,
                                      .question = pick_question,
                                      .next_cycle = next_stop_of,
                                      .more = {.motion = at_contest}};
constexpr SchedulersBeat wait_beat = {.key = "wait",
                                      .anchor = kernel_anchor,
                                      .needs = Needs::cycles,
                                      .first_route = true,
                                      .section = scheduler_wait_section,
                                      .panels = cycles_panels,
                                      .question = wait_question,
                                      .next_cycle = next_stop_of,
                                      .more = {.motion = into_wait, .fits_wait = true}};
constexpr SchedulersBeat wait_return_beat = {.key = "return",
                                             .anchor = kernel_anchor,
                                             .needs = Needs::cycles,
                                             .first_route = true,
                                             .section = return_section,
                                             .panels = cycles_panels,
                                             .next_cycle = next_stop_of,
                                             .more = {.motion = out_of_wait, .fits_wait = true}};
constexpr SchedulersBeat hide_beat = {.key = "hide",
                                      .anchor = kernel_anchor,
                                      .needs = Needs::cycles,
                                      .first_route = true,
                                      .section = hide_section,
                                      .panels = hide_panels,
                                      .question = hide_question,
                                      .next_cycle = next_stop_of,
                                      .more = {.fits_wait = true}};
constexpr SchedulersBeat loop_beat = {.key = "loop",
                                      .anchor = kernel_anchor,
                                      .needs = Needs::cycles,
                                      .section = loop_section,
                                      .panels = loop_panels,
                                      .next_cycle = next_stop_of,
                                      .more = {.folds_loop = true, .usual_stop = CycleEvent::pass}};
// Its picture shows the whole life of the block.
ControlNames pipeline_controls(const SchedulersSubject&) { return {"sm", "stop"}; }

constexpr SchedulersBeat pipeline_beat = {.key = "pipeline",
                                          .anchor = anchor_of_shared_memory,
                                          .needs = Needs::cycles,
                                          .section = pipeline_section,
                                          .values = add_pipeline_values,
                                          .panels = pipeline_panels,
                                          .controls = pipeline_controls,
                                          .question = pipeline_question,
                                          .next_cycle = next_stop_of,
                                          .more = {.shows_pipeline = true}};
constexpr SchedulersBeat alone_beat = {.key = "alone",
                                       .anchor = anchor_of_several,
                                       .needs = Needs::cycles,
                                       .first_route = true,
                                       .section = alone_section,
                                       .panels = cycles_panels,
                                       .what_if = one_warp_unless_chosen,
                                       .next_cycle = next_stop_of,
                                       .more = {.one_warp = true, .chooses_stop = false}};
constexpr SchedulersBeat whole_gpu_beat = {.key = "gpu",
                                           .anchor = kernel_anchor,
                                           .needs = Needs::cycles,
                                           .panels = gpu_panels,
                                           .next_cycle = next_stop_of,
                                           .more = {.chooses_stop = false}};
constexpr SchedulersBeat any_cycle_beat = {.key = "any",
                                           .anchor = kernel_anchor,
                                           .needs = Needs::cycles,
                                           .any_cycle = true,
                                           .section = any_section,
                                           .panels = cycles_panels,
                                           .what_if = chosen_change,
                                           .next_cycle = next_stop_of};

}  // namespace

const Contents& schedulers_scene() {
  static const BeatTable table(
      "schedulers",
      {framed(at_schedulers, rule_beat), framed(at_schedulers, pick_beat), framed(at_schedulers, wait_beat),
       framed(at_schedulers, wait_return_beat), framed(at_schedulers, hide_beat), framed(at_schedulers, loop_beat),
       framed(at_schedulers, pipeline_beat), framed(at_schedulers, alone_beat), framed(at_schedulers, whole_gpu_beat),
       framed(at_schedulers, any_cycle_beat), framed(words_at_schedulers, empty_walk_beat),
       framed(words_at_schedulers, no_kernel_beat)});
  return table;
}

}  // namespace warpwalk::story
