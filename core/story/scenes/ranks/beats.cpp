// The ranks of one run: who is waited for, and why.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_skew.h"
#include "core/analysis/time/idle.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/story/scenes/scenes.h"
#include "core/words/rank_text.h"

namespace warpwalk::story {
namespace {

constexpr double gates_seconds = 3.5;
constexpr std::size_t most_problems = 3;

// Sums of the whole run, ns.
struct RunSums {
  std::int64_t waited = 0, transfer = 0, largest_skew = 0, communicating = 0, exposed = 0;
};

RunSums run_sums(const analysis::RankReport& report) {
  RunSums sums;
  for (const analysis::MatchedCollective& one : report.collectives) {
    sums.waited += one.wait;
    sums.transfer += one.transfer;
    sums.largest_skew = std::max(sums.largest_skew, analysis::skew_of(one));
  }
  for (const analysis::RankDigest& one : report.ranks) {
    sums.communicating += one.communicating;
    sums.exposed += one.exposed;
  }
  return sums;
}

bool has_skews(const analysis::RankReport& report) {
  return std::ranges::any_of(report.collectives, analysis::has_skew);
}

// The key of the beat's words.
std::string section_of(const RanksScene& scene, const RunSums& sums, std::string key) {
  const bool together = scene.collective().late == analysis::MatchedCollective::nobody;
  const analysis::LateCause* const cause = scene.cause();
  const bool of_one = key == "gates" || key == "why";
  if (scene.report.alignment.ends == 0 && (of_one || key == "who" || key == "skew")) return "unaligned";
  if (of_one && !analysis::is_shared(scene.collective())) return "alone";
  if (of_one && scene.collective().mixed) return "mixed";
  if (key == "gates" && scene.input.predictions.asking) return "gates.asked";
  if (key == "gates" && !together && scene.collective().kind == analysis::CollectiveKind::send)
    return scene.healthy() ? "gates.message.healthy" : "gates.message";
  if (key == "gates") return together ? "gates.together" : scene.healthy() ? "gates.healthy" : key;
  if (key == "who" && scene.report.always_last) return "who.last";
  if (key == "who" && scene.healthy()) return has_skews(scene.report) ? "who.healthy" : "who.messages";
  if (key == "why" && together) return "why.together";
  if (key == "why" && cause == nullptr) return "why.once";
  if (key == "why") return cause->kind == analysis::LateKind::unknown ? "why.unknown" : key;
  if (key == "skew" && !has_skews(scene.report)) return "skew.none";
  if (key == "skew") return scene.report.ranks.size() < matrix_ranks ? key : "skew.matrix";
  if (key == "overlap") return sums.communicating > 0 ? key : "overlap.none";
  return key;
}

Narration::Values values_of(const RanksScene& scene, const RunSums& sums) {
  const analysis::RankReport& report = scene.report;
  const analysis::MatchedCollective& here = scene.collective();
  const std::int64_t hidden = sums.communicating - sums.exposed;
  Narration::Values values = {
      {"ranks", count_text(scene.narration(), "rank", std::ssize(report.ranks))},
      {"collectives",
       count_text(scene.narration(), "collective", static_cast<std::int64_t>(analysis::shared_collectives(report)))},
      {"kind", scene.kind_word(here.kind)},
      {"here", words::rank_name(scene.narration(), report, last_member(here).rank)},
      {"this_rank", scene.rank_word(last_member(here).rank)},
      {"late", words::short_time_text(here.late_by)},
      {"wait", words::short_time_text(here.wait)},
      {"skew", words::short_time_text(analysis::skew_of(here))},
      {"median_skew", words::short_time_text(analysis::median_skew(report))},
      {"largest_skew", words::short_time_text(sums.largest_skew)},
      {"uncertainty", words::short_time_text(report.alignment.uncertainty)},
      {"waited", words::short_time_text(sums.waited)},
      {"transfer", words::short_time_text(sums.transfer)},
      {"exposed", words::short_time_text(sums.exposed)},
      {"hidden_share", share_text(hidden, sums.communicating)}};
  if (const analysis::LateCause* const cause = scene.cause())
    values["cause"] = words::late_cause_text(scene.narration(), *cause);
  values["late_text"] = words::nobody_text(scene.narration(), report);
  if (!scene.healthy()) {
    values["rank"] = words::rank_name(scene.narration(), report, report.causes.front().rank);
    values["late_text"] = words::late_text(scene.narration(), report, report.causes.front());
  }
  return values;
}

void add_gate_facts(const RanksScene& scene, FactWriter& facts) {
  const analysis::MatchedCollective& here = scene.collective();
  if (here.late != analysis::MatchedCollective::nobody) facts.difference("late_by", here.late_by);
  facts.difference("wait", here.wait);
  facts.difference("transfer", here.transfer);
  if (here.bytes > 0) facts.derived("bytes", static_cast<double>(here.bytes), Unit::bytes);
  if (const double bandwidth = here.algorithm_bandwidth(); bandwidth > 0) {
    facts.derived("algorithm", bandwidth, Unit::gigabytes_per_second);
    facts.derived("bus", here.bus_bandwidth(), Unit::gigabytes_per_second);
  }
}

void add_facts(const RanksScene& scene, const RunSums& sums, std::string_view beat, const Stretch& stretch,
               FactWriter& facts) {
  const analysis::RankReport& report = scene.report;
  if (beat != "overlap") {
    if (report.alignment.ends > 0)
      facts.difference("uncertainty", report.alignment.uncertainty);
    else
      facts.missing("clocks");
  }
  if (beat == "gates") add_gate_facts(scene, facts);
  if (beat == "who") {
    facts.counted("collectives", analysis::shared_collectives(report));
    facts.difference("all_waited", sums.waited);
    if (has_skews(report)) facts.difference("median_skew", analysis::median_skew(report));
    facts.counted("causes", report.causes.size());
  }
  if (beat == "why" && analysis::is_shared(scene.collective())) {
    facts.difference("stretch", stretch.late);
    facts.difference("stretch_others", stretch.others);
    if (scene.collective().late != analysis::MatchedCollective::nobody)
      facts.difference("late_by", scene.collective().late_by);
  }
  if (beat == "table") {
    facts.counted("collectives", analysis::shared_collectives(report));
    facts.difference("all_transfer", sums.transfer);
    facts.difference("all_waited", sums.waited);
  }
  if (beat == "skew" && has_skews(report)) {
    facts.difference("median_skew", analysis::median_skew(report));
    facts.difference("largest_skew", sums.largest_skew);
  }
  if (beat == "overlap") {
    facts.difference("all_communicating", sums.communicating);
    facts.difference("all_hidden", sums.communicating - sums.exposed);
    facts.difference("all_exposed", sums.exposed);
  }
}

Panels panels_of(const RanksScene& scene, std::string_view beat, const std::vector<RankSums>& sums,
                 const Stretch& stretch) {
  Panels panels;
  if (beat == "who") panels.rows = {{1, {who_bars(scene, sums)}}, {1, {who_table(scene, sums)}, true}};
  if (beat == "why" && analysis::is_shared(scene.collective())) {
    if (!stretch.rows.empty()) panels.rows.push_back({1, {why_bars(scene, stretch)}});
    panels.rows.push_back({1, {why_table(scene, stretch)}, true});
  }
  if (beat == "table") panels.rows = {{1, {collectives_table(scene, collective_sums(scene.report))}, true}};
  if (beat == "skew" && has_skews(scene.report)) {
    panels.rows.push_back({1, {skew_panel(scene)}});
    if (scene.report.ranks.size() >= matrix_ranks) panels.rows.push_back({1.4, {matrix_panel(scene)}});
  }
  if (beat == "skew" && !has_skews(scene.report)) panels.rows.push_back({1, {who_bars(scene, sums)}});
  if (beat == "overlap") {
    panels.rows.push_back({0.9, {overlap_bars(scene)}});
    panels.rows.push_back({1.1, {overlap_table(scene), bandwidth_panel(scene)}});
  }
  return panels;
}

void keep_only(Stage& stage, std::string_view name) {
  std::erase_if(stage.controls, [&](const Control& control) { return control.name != name; });
}

// A stage without ranks, or without anything to compare.
Stage without_ranks(const SceneInput& input, std::vector<Beat> beats, std::string_view key) {
  beats[static_cast<std::size_t>(input.moment.value - 1)].key = key;
  Narration::Values values;
  if (input.ranks != nullptr) values["ranks"] = count_text(input.narration, "rank", std::ssize(input.ranks->ranks));
  return common_stage(input, RanksScene::name, beats, values, "op");
}

}  // namespace

std::vector<Beat> ranks_beats(const Trace&, const Walk&) {
  return {{"gates"}, {"who"}, {"why"}, {"table"}, {"skew"}, {"overlap"}};
}

Stage ranks_stage(const SceneInput& input) {
  std::vector<Beat> beats = ranks_beats(input.trace, input.walk);
  if (input.ranks == nullptr || input.ranks->empty()) return without_ranks(input, std::move(beats), "none");
  if (analysis::shared_collectives(*input.ranks) == 0) return without_ranks(input, std::move(beats), "nothing");
  RanksScene scene(input);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  const RunSums run = run_sums(scene.report);
  here.key = section_of(scene, run, beat);
  const Narration::Values values = values_of(scene, run);
  const std::vector<RankSums> sums =
      beat == "who" || beat == "skew" ? rank_sums(scene.report) : std::vector<RankSums>();
  const Stretch stretch = beat == "why" ? stretch_before(scene.report, scene.collective()) : Stretch();
  Stage stage = common_stage(input, RanksScene::name, beats, values, "op");
  FactWriter facts(input, values, stage);
  add_facts(scene, run, beat, stretch, facts);
  const bool aligned = here.key != "unaligned";
  if (beat == "gates") {
    const std::vector<std::string>& problems = scene.report.problems;
    const auto listed = static_cast<std::ptrdiff_t>(std::min(most_problems, problems.size()));
    stage.missing.insert(stage.missing.end(), problems.begin(), problems.begin() + listed);
    stage.motion_seconds = gates_seconds;
    if (aligned) stage.picture = gates_picture(scene, stage.phase, !input.predictions.asking);
    if (input.predictions.asking) stage.facts.clear();
  } else if (Panels panels = panels_of(scene, beat, sums, stretch); aligned && !panels.rows.empty()) {
    stage.picture = std::make_shared<const Panels>(std::move(panels));
  }
  stage.controls = scene.controls.take();
  keep_only(stage, beat == "gates" || beat == "why" ? "collective" : beat == "table" ? "sort" : "");
  if (beat == "who" && aligned) ask_who(scene, sums, values, stage);
  return stage;
}

}  // namespace warpwalk::story
