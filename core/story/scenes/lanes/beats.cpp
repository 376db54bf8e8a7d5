// Scene 7, the workers: one instruction on 32 lanes, the fold of their addresses into sectors, its way to memory and
// back, the banks of shared memory, and a warp that divides.
#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/gpu/exec/bank_conflicts.h"
#include "core/run/replay/history.h"
#include "core/story/facts/code/instruction_words.h"
#include "core/story/facts/simulated/followed_number.h"
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

void add_values(const SceneInput& input, const LanesSubject& s, Narration::Values& values) {
  const gpu::IssuedInstruction& what = s.issue->what;
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(input.narration, thing, n); };
  values["cycle"] = with_thousands(what.cycle);
  values["instruction"] = s.text.text;
  values["meaning"] = instruction_words(input.narration, s.text.text).does;
  values["warp"] = warp_name(input.narration, what.warp);
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
    values["where"] = input.narration.text("schedulers.why", sources[static_cast<std::size_t>(last->source)]);
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
}

void add_facts(const SceneInput& input, const LanesSubject& s, std::string_view beat, const Narration::Values& values,
               Stage& stage) {
  FactWriter facts(input, values, stage);
  const auto simulated = [&](std::string_view key, std::string text) {
    facts.fact(key, Figure::recorded(std::move(text), Origin::simulated));
  };
  simulated("instruction", s.text.text);
  simulated("warp", values.at("warp"));
  simulated("cycle", values.at("cycle"));
  simulated("active", values.at("active"));
  if (s.error)
    facts.fact("errors", Figure::recorded(static_cast<double>(s.history.simulation.findings.size()), Unit::count,
                                          Origin::simulated));
  const bool told = s.shows_error();  // in the sentence
  FoundError error = error_at(s.travel, s.history, s.issue->what.warp, s.issue->what.instruction);
  error.by_warp = error.by_warp && makes_error(s, *error.finding);
  if (error.finding != nullptr && !told)
    simulated(error.by_warp ? "finding" : "finding_line", error_text(input.narration, s.history, error));
  // The beat before the one about the trip would answer its question.
  if (s.result && beat != "fold") simulated("back", facts.word("say", "back"));
  if (s.space() == LanesAccess::global) {
    facts.derived("lines", values.at("lines"));
    facts.derived("sectors", values.at("sectors"));
    facts.derived("used", facts.word("say", "used"));
  }
  if (s.space() == LanesAccess::shared) facts.derived("passes", values.at("passes"));
  if (!s.travel.program().machine_code) facts.missing("registers");
  if (s.history.stand_in)
    facts.fact("stand_in", Figure::recorded(stand_in_text(input.narration, s.history), Origin::simulated));
  add_replay_facts(input, stage);
}

std::string section_of(const SceneInput& input, const std::string& beat, const LanesSubject& s) {
  if (beat == "error") return error_section(s);
  if (s.issue == nullptr || !s.present) return beat + ".none";
  if (s.asked) return asked_section(s);
  if (s.product && beat == "lanes") return "lanes.tensor";
  if (beat == "lanes" || beat == "any")
    return instruction_words(input.narration, s.text.text).does.empty() ? beat : beat + ".explained";
  if (beat == "trip" && !s.result) return "trip.none";
  if (beat == "trip" && s.trips.empty()) return "trip.l1";
  if (beat == "trip" && s.copies) return "trip.copy";
  if (beat == "diverge" && s.elsewhere) return "diverge.elsewhere";
  if (beat == "fold" && s.space() == LanesAccess::global &&
      fold_of(*s.access).bytes_used < 32 * fold_of(*s.access).sectors)
    return "fold.waste";
  if (beat == "banks") {
    const gpu::Wavefronts fronts =
        gpu::wavefronts_of(s.access->at.data(), s.access->mask, s.access->bytes, s.access->writes);
    if (fronts.conflicts > 0) return "banks.conflict";
    return fronts.passes > 1 ? "banks.wide" : "banks";
  }
  return beat;
}

}  // namespace

std::vector<Beat> lanes_beats(const Trace& trace, const Walk& walk) {
  std::vector<Beat> beats =
      beats_with_cycles(trace, walk, {"lanes", "fold", "trip", "banks", "diverge", "error", "any"});
  if (followed_number(trace, walk, {})) {
    const auto before = std::ranges::find(beats, std::string_view("diverge"), &Beat::key);
    if (before != beats.end()) beats.insert(before, Beat{"sum", before->anchor, true});
  }
  if (const std::optional<NextOp> next = next_op(trace, walk))
    beats.push_back({"next", analysis::since_start(trace, trace.slices.start[next->kernel]),
                     followed_number(trace, walk, {}).has_value()});  // its line says where the number is
  return in_order(std::move(beats));
}

Stage lanes(const SceneInput& input) {
  std::vector<Beat> beats = lanes_beats(input.trace, input.walk);
  Beat& shown = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = shown.key;
  Narration::Values values = common_values(input);
  if (beat == "next") return next_op_stage(input, beats, std::move(values));
  if (std::string section = section_without_cycles(input, shown, values); !section.empty()) {
    shown.key = std::move(section);
    return common_stage(input, "lanes", beats, values, "warp");
  }
  if (beat == "sum") return sum_stage(input, std::move(beats), std::move(values));
  LanesSubject s = lanes_subject(input, beat);
  if (s.issue != nullptr) add_values(input, s, values);
  if (s.asked) add_asked_values(input, s, values);
  shown.key = section_of(input, beat, s);
  Stage stage = common_stage(input, "lanes", beats, values, "warp");
  stage.controls = s.controls.take();
  if (s.issue == nullptr) return stage;
  add_facts(input, s, beat, values, stage);
  stage.cycle = CyclePlace{s.issue->what.cycle, s.end, true};
  stage.picture = std::make_shared<const Panels>(lanes_picture(input, s, beat));
  if (beat == "fold" || beat == "banks") stage.motion_seconds = access_seconds;
  if (const auto asked = lanes_question(input, s, beat)) ask(input, values, *asked, stage);
  return stage;
}

std::optional<std::int64_t> lanes_stop(const SceneInput& input, bool forward) {
  const std::vector<Beat> beats = lanes_beats(input.trace, input.walk);
  Narration::Values values;
  const Beat& shown = beats[static_cast<std::size_t>(input.moment.value - 1)];
  if (!section_without_cycles(input, shown, values).empty()) return {};
  const LanesSubject s = lanes_subject(input, shown.key);
  if (s.issue == nullptr) return {};
  return find_event(s.travel, s.history, s.sm, s.slot, CycleEvent::issue, s.issue->what.cycle, forward);
}

}  // namespace warpwalk::story
