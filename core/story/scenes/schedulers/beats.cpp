// Scene 6, the regional managers: four schedulers pick warps. First the rule, then a choice, then a warp that waits
// while others issue.
#include <bit>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "core/run/replay/history.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/code/instruction_words.h"
#include "core/story/facts/launch/launch_plan.h"
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

void add_values(const SceneInput& input, const SchedulersSubject& s, Narration::Values& values) {
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
    values["state"] = input.narration.text("schedulers.reason", gpu::name_of(s.reason));
    values["since"] = number(s.since);
  }
  add_loop_values(input, s, values);
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
    values["wait_for"] = input.narration.text("schedulers.reason", gpu::name_of(span.reason));
    const auto others = s.issued_by_neighbours(span.from, span.to);
    values["others"] = count_text(input.narration, "instruction", static_cast<std::int64_t>(others));
    values["scheduler"] = std::to_string(s.events.wait->warp.slot % s.schedulers);
    values["others_percent"] =
        fmt::format("{:.0f}", 100 * static_cast<double>(others) / static_cast<double>(span.to - span.from));
  }
}

void add_facts(const SceneInput& input, std::string_view beat, const SchedulersSubject& s,
               const Narration::Values& values, Stage& stage) {
  FactWriter facts(input, values, stage);
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
  if (shows_change(beat) && input.history.what_if.any() && input.history.changed == nullptr)
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
  add_replay_facts(input, stage);
}

// The section of a beat for what this launch shows.
std::string section_of(const SceneInput& input, const std::string& beat, const SchedulersSubject& s) {
  if (beat == "any") return s.warp == nullptr ? "any.free" : "any";
  if (beat == "alone") {
    if (input.history.changed == nullptr) return "alone.timing";
    const gpu::LaunchTiming &as_is = input.history.travel->timing(), &changed = input.history.changed->timing();
    const bool same = std::llround(slots_used(as_is)) == std::llround(slots_used(changed));
    return same ? "alone.same" : "alone";
  }
  if (beat == "loop" && !s.loop) return s.warp == nullptr ? "loop.free" : "loop.none";
  if (beat == "pick" && !s.events.contest) return "pick.none";
  if (beat == "rule" || beat == "pick" || beat == "gpu" || beat == "loop") return beat;
  if (!s.events.wait) return beat + ".none";
  if (beat == "hide" && !s.has_neighbours(s.events.wait->warp.slot)) return "hide.single";
  switch (s.events.wait->span.reason) {
    case StallReason::long_scoreboard: return beat == "wait" && s.asked ? "wait.asked" : beat;
    case StallReason::barrier: return beat == "hide" ? "hide.short" : beat + ".barrier";
    default: return beat + ".short";
  }
}

}  // namespace

run::WhatIf schedulers_what_if(std::string_view beat, const Controls& controls) {
  if (!shows_change(beat)) return {};
  run::WhatIf change = chosen_change(controls);
  if (beat == "alone" && !controls.get("schedulers", "policy")) change.policy = gpu::IssuePolicy::one_at_a_time;
  return change;
}

std::vector<Beat> schedulers_beats(const Trace& trace, const Walk& walk) {
  // Without a second warp, a scheduler has nothing to pick, and nothing to hide a wait with.
  if (one_warp_per_scheduler(trace, walk))
    return beats_with_cycles(trace, walk, {"rule", "wait", "return", "hide", "loop", "gpu", "any"});
  return beats_with_cycles(trace, walk, {"rule", "pick", "wait", "return", "hide", "loop", "alone", "gpu", "any"});
}

Stage schedulers(const SceneInput& input) {
  std::vector<Beat> beats = schedulers_beats(input.trace, input.walk);
  Beat& shown = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = shown.key;
  Narration::Values values = common_values(input);
  if (std::string section = section_without_cycles(input, shown, values); !section.empty()) {
    shown.key = std::move(section);
    return common_stage(input, "schedulers", beats, values, "scheduler");
  }
  SchedulersSubject s = schedulers_subject(input, beat);
  add_values(input, s, values);
  shown.key = section_of(input, beat, s);
  Stage stage = common_stage(input, "schedulers", beats, values, "scheduler");
  add_facts(input, beat, s, values, stage);
  stage.cycle = CyclePlace{s.cycle, s.end};
  stage.picture = std::make_shared<const Panels>(schedulers_picture(input, beat, s));
  stage.controls = s.controls.take();
  if (const auto asked = schedulers_question(input, s, beat)) ask(input, values, *asked, stage);
  return stage;
}

std::optional<std::int64_t> schedulers_stop(const SceneInput& input, bool forward) {
  const std::vector<Beat> beats = schedulers_beats(input.trace, input.walk);
  Narration::Values values;
  const Beat& shown = beats[static_cast<std::size_t>(input.moment.value - 1)];
  if (!section_without_cycles(input, shown, values).empty()) return {};
  const SchedulersSubject s = schedulers_subject(input, shown.key);
  const auto kind = static_cast<std::size_t>(input.set("schedulers", "stop").value_or(usual_stop(shown.key)));
  return find_event(s.travel, s.history, s.sm, s.slot, static_cast<CycleEvent>(std::min(kind, cycle_events - 1)),
                    s.cycle, forward);
}

}  // namespace warpwalk::story
