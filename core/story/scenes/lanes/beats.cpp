// Scene 7, the workers: one instruction on 32 lanes, the fold of their addresses into sectors, its way to memory and
// back, the banks of shared memory, and a warp that divides.
#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "core/gpu/exec/bank_conflicts.h"
#include "core/run/replay/history.h"
#include "core/story/beats/with_cycles.h"
#include "core/story/facts/code/instruction_words.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/simulated/pipeline_words.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/scenes/lanes/lanes.h"
#include "core/story/scenes/scenes.h"

namespace warpwalk::story {
namespace {

constexpr double access_seconds = 4;  // addresses go to memory, and values come back

// A message without the sanitizer's question about the cause: "...; is a __syncthreads() missing between them? (3
// more)".
std::string what_is_wrong(const std::string& message) {
  const std::size_t question = message.find("; ");
  const std::size_t end = question == std::string::npos ? question : message.find('?', question);
  if (end == std::string::npos) return message;
  return message.substr(0, question) + message.substr(end + 1);
}

Narration::Values values_of(const LanesSubject& s) {
  Narration::Values values = common_values(s.input);
  if (s.asked) add_asked_values(s, values);
  if (s.issue == nullptr) return values;
  const gpu::IssuedInstruction& what = s.issue->what;
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(s.input.narration, thing, n); };
  values["cycle"] = with_thousands(what.cycle);
  values["instruction"] = s.text.text;
  values["meaning"] = instruction_words(s.input.narration, s.text.text).does;
  values["warp"] = warp_name(s.input.narration, what.warp);
  values["sm"] = std::to_string(s.sm);
  values["active"] = count("lane", std::popcount(what.executing));
  if (const gpu::Finding* const finding = first_error(s.history)) values["message"] = what_is_wrong(finding->message);
  if (s.error) values["lane"] = std::to_string(s.error->lane);
  if (s.result) {
    values["back"] = with_thousands(*s.result);
    values["way"] = count("cycle", *s.result - what.cycle);
  }
  if (s.product) {
    const gpu::MmaOperands& product = *s.product;
    values["shape"] = fmt::format("{} × {} × {}", product.d.rows, product.d.columns, product.a.columns);
    values["sums"] = with_thousands(static_cast<std::int64_t>(product.d.elements.size()));
    values["multiplications"] =
        with_thousands(static_cast<std::int64_t>(product.d.elements.size()) * product.a.columns);
  }
  if (!s.trips.empty()) {
    const auto last = std::ranges::max_element(s.trips, {}, &gpu::RequestTrip::back_at);
    // Another warp may have asked for the line before.
    const std::int64_t left = std::max(what.cycle, last->left_at);
    values["left"] = count("cycle", left - what.cycle);
    values["away"] = count("cycle", last->back_at - left);
    if (s.result) values["rest"] = count("cycle", *s.result - last->back_at);
    static constexpr std::array<std::string_view, 3> sources = {"l2", "l2_far", "memory"};
    values["where"] = s.input.narration.text("schedulers.why", sources[static_cast<std::size_t>(last->source)]);
  }
  if (s.space() == LanesAccess::global) {
    const LanesFold fold = fold_of(*s.access);
    values["lines"] = count("line", fold.lines);
    values["sectors"] = count("sector", fold.sectors);
    values["bytes"] = bytes_text(static_cast<double>(fold.bytes_used));
    values["fetched"] = bytes_text(32.0 * fold.sectors);
    values["used"] = fmt::format("{:.0f}", 100.0 * static_cast<double>(fold.bytes_used) / (32.0 * fold.sectors));
    values["accesses"] = count("lane", std::popcount(s.access->mask));
  }
  if (s.space() == LanesAccess::shared) {
    const gpu::Wavefronts fronts =
        gpu::wavefronts_of(s.access->at.data(), s.access->mask, s.access->bytes, s.access->writes);
    values["passes"] = count("wavefront", fronts.passes);
    values["width"] = std::to_string(s.access->bytes);
    values["together"] = count("lane", std::popcount(lane_groups(*s.access).front()));
    values["conflicts"] = std::to_string(fronts.conflicts);
  }
  return values;
}

// The role of the warp in the pipeline of its block, and the phase that it waits for after the instruction.
void handover_facts(const LanesSubject& s, FactWriter& facts) {
  const gpu::IssuedInstruction& what = s.issue->what;
  const std::shared_ptr<const gpu::BlockPipeline> pipeline = s.travel.pipeline(s.sm, what.warp.block);
  if (pipeline == nullptr || !pipeline->is_asynchronous()) return;
  const Narration& narration = s.input.narration;
  for (const gpu::WarpGroup& group : pipeline->groups) {
    if (what.warp.warp < group.first || what.warp.warp >= group.first + group.count) continue;
    facts.fact("role", Figure::recorded(role_text(narration, group.role), Origin::simulated));
  }
  const gpu::WarpGroup alone{what.warp.warp, 1, gpu::WarpRole::other, {}};
  const std::string phase = group_phase_text(narration, *pipeline, alone, what.cycle + 1);
  if (!phase.empty()) facts.fact("waits_for", Figure::recorded(phase, Origin::simulated));
}

void lanes_instruction_facts(const LanesSubject& s, FactWriter& facts) {
  if (s.issue == nullptr) return;
  const auto simulated = [&](std::string_view key, std::string text) {
    facts.fact(key, Figure::recorded(std::move(text), Origin::simulated));
  };
  simulated("instruction", s.text.text);
  simulated("warp", s.values.at("warp"));
  simulated("cycle", s.values.at("cycle"));
  simulated("active", s.values.at("active"));
  if (s.error)
    facts.fact("errors", Figure::recorded(static_cast<double>(s.history.simulation.findings.size()), Unit::count,
                                          Origin::simulated));
  const bool told = s.shows_error();  // in the sentence
  FoundError error = error_at(s.travel, s.history, s.issue->what.warp, s.issue->what.instruction);
  error.by_warp = error.by_warp && makes_error(s, *error.finding);
  if (error.finding != nullptr && !told)
    simulated(error.by_warp ? "finding" : "finding_line", error_text(s.input.narration, s.history, error));
  if (s.result && s.view.tells_return) simulated("back", facts.word("say", "back"));
  if (!s.travel.program().mbarriers.empty()) handover_facts(s, facts);
  if (s.space() == LanesAccess::global) {
    facts.derived("lines", s.values.at("lines"));
    facts.derived("sectors", s.values.at("sectors"));
    facts.derived("used", facts.word("say", "used"));
  }
  if (s.space() == LanesAccess::shared) facts.derived("passes", s.values.at("passes"));
  if (!s.travel.program().machine_code) facts.missing("registers");
  if (s.history.stand_in)
    facts.fact("stand_in", Figure::recorded(stand_in_text(s.input.narration, s.history), Origin::simulated));
  add_replay_facts(s.input, facts.stage());
}

LanesSubject with_values(const Here& here) {
  LanesSubject s = lanes_subject(here.input, here.shown<LanesBeat>()->more);
  s.values = values_of(s);
  return s;
}

void complete(LanesSubject& s, const Narration::Values&, Stage& stage) {
  stage.controls = s.controls.take();
  if (s.issue != nullptr) stage.cycle = CyclePlace{s.issue->what.cycle, s.end, true};
}

std::optional<std::int64_t> next_issue(const LanesSubject& s, bool forward) {
  if (s.issue == nullptr) return {};
  return find_event(s.travel, s.history, s.sm, s.slot, CycleEvent::issue, s.issue->what.cycle, forward);
}

bool has_meaning(const LanesSubject& s) { return !instruction_words(s.input.narration, s.text.text).does.empty(); }

std::string lanes_beat_section(const LanesSubject& s) {
  if (!s.found()) return "lanes.none";
  return s.product ? "lanes.tensor" : has_meaning(s) ? "lanes.explained" : "lanes";
}

std::string fold_section(const LanesSubject& s) {
  if (!s.found()) return "fold.none";
  if (s.space() != LanesAccess::global) return "fold";
  const LanesFold fold = fold_of(*s.access);
  return fold.bytes_used < 32 * fold.sectors ? "fold.waste" : "fold";
}

std::string trip_section(const LanesSubject& s) {
  if (!s.found() || !s.result) return "trip.none";
  return s.trips.empty() ? "trip.l1" : s.copies ? "trip.copy" : "trip";
}

std::string banks_section(const LanesSubject& s) {
  if (!s.found() || s.space() != LanesAccess::shared) return "banks.none";
  const gpu::Wavefronts fronts =
      gpu::wavefronts_of(s.access->at.data(), s.access->mask, s.access->bytes, s.access->writes);
  if (fronts.conflicts > 0) return "banks.conflict";
  return fronts.passes > 1 ? "banks.wide" : "banks";
}

std::string diverge_section(const LanesSubject& s) {
  return !s.found() ? "diverge.none" : s.elsewhere ? "diverge.elsewhere" : "diverge";
}

std::string any_section(const LanesSubject& s) {
  if (!s.found()) return "any.none";
  return s.asked ? asked_section(s) : has_meaning(s) ? "any.explained" : "any";
}

constexpr Frame<LanesSubject, LanesView> on_warp = {.subject = with_values,
                                                    .stop = "warp",
                                                    .instead = without_cycles,
                                                    .values = [](const LanesSubject& s) { return s.values; },
                                                    .facts = lanes_instruction_facts,
                                                    .complete = complete};
constexpr Frame<WordsAlone> in_words = {.subject = words_alone, .stop = "warp"};

constexpr LanesBeat lanes_beat = {.key = "lanes",
                                  .anchor = kernel_anchor,
                                  .needs = Needs::cycles,
                                  .first_route = true,
                                  .section = lanes_beat_section,
                                  .panels = lanes_panels,
                                  .question = lanes_question,
                                  .next_cycle = next_issue,
                                  .more = {.search = for_arithmetic}};
constexpr LanesBeat fold_beat = {
    .key = "fold",
    .anchor = kernel_anchor,
    .needs = Needs::cycles,
    .first_route = true,
    .motion_seconds = access_seconds,
    .section = fold_section,
    .panels = lanes_panels,
    .question = fold_question,
    .next_cycle = next_issue,
    .more = {.tells_return = false}  // the next beat asks about it
};
constexpr LanesBeat trip_beat = {.key = "trip",
                                 .anchor = kernel_anchor,
                                 .needs = Needs::cycles,
                                 .section = trip_section,
                                 .panels = trip_panels,
                                 .question = trip_question,
                                 .next_cycle = next_issue};
constexpr LanesBeat banks_beat = {.key = "banks",
                                  .anchor = kernel_anchor,
                                  .needs = Needs::cycles,
                                  .motion_seconds = access_seconds,
                                  .section = banks_section,
                                  .panels = lanes_panels,
                                  .question = banks_question,
                                  .next_cycle = next_issue,
                                  .more = {.search = for_wavefronts}};
constexpr LanesBeat diverge_beat = {.key = "diverge",
                                    .anchor = kernel_anchor,
                                    .needs = Needs::cycles,
                                    .first_route = true,
                                    .section = diverge_section,
                                    .panels = diverge_panels,
                                    .question = diverge_question,
                                    .next_cycle = next_issue,
                                    .more = {.search = for_divergence, .seeks_sm = true}};
constexpr LanesBeat error_beat = {.key = "error",
                                  .anchor = kernel_anchor,
                                  .needs = Needs::cycles,
                                  .section = error_section,
                                  .panels = error_panels,
                                  .next_cycle = next_issue,
                                  .more = {.seeks_error = true}};
constexpr LanesBeat any_beat = {.key = "any",
                                .anchor = kernel_anchor,
                                .needs = Needs::cycles,
                                .any_cycle = true,
                                .section = any_section,
                                .panels = any_panels,
                                .next_cycle = next_issue,
                                .more = {.any_instruction = true}};

}  // namespace

const Contents& lanes_scene() {
  static const BeatTable table(
      "lanes",
      {framed(on_warp, lanes_beat), framed(on_warp, fold_beat), framed(on_warp, trip_beat), framed(on_warp, banks_beat),
       sum_beat(), framed(on_warp, diverge_beat), framed(on_warp, error_beat), framed(on_warp, any_beat),
       next_op_beat(), framed(in_words, empty_walk_beat), framed(in_words, no_kernel_beat)});
  return table;
}

}  // namespace warpwalk::story
