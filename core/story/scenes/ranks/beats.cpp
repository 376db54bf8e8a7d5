// The ranks of one run: who is waited for, and why.
#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_report.h"
#include "core/analysis/time/idle.h"
#include "core/story/beats/beat_of.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/story/scenes/scenes.h"
#include "core/words/rank_text.h"

namespace warpwalk::story {
namespace {

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

// The subject of the beats. What takes long is computed once, when a beat asks for it.
struct ComparedRanks : RanksScene {
  RunSums run;

  explicit ComparedRanks(const SceneInput& in) : RanksScene(in), run(run_sums(report)) {}
  bool aligned() const { return report.alignment.ends > 0; }
  const std::vector<RankSums>& sums() const {
    if (!sums_) sums_ = rank_sums(report);
    return *sums_;
  }
  const Stretch& stretch() const {
    if (!stretch_) stretch_ = stretch_before(report, collective());
    return *stretch_;
  }

  const RankPlaces& places() const {
    if (!places_) places_ = rank_places(report);
    return *places_;
  }

 private:
  mutable std::optional<RankPlaces> places_;
  mutable std::optional<std::vector<RankSums>> sums_;
  mutable std::optional<Stretch> stretch_;
};

bool has_skews(const analysis::RankReport& report) {
  return std::ranges::any_of(report.collectives, analysis::has_skew);
}

bool arrives_together(const ComparedRanks& s) { return s.collective().late == analysis::MatchedCollective::nobody; }

// Why nothing can be said about the chosen collective; empty if something can.
std::string not_judged(const ComparedRanks& s) {
  if (!s.aligned()) return "unaligned";
  if (!analysis::is_shared(s.collective())) return "alone";
  return s.collective().mixed ? "mixed" : "";
}

std::string gates_section(const ComparedRanks& s) {
  if (std::string why = not_judged(s); !why.empty()) return why;
  if (s.input.predictions.asking) return "gates.asked";
  if (arrives_together(s)) return "gates.together";
  if (s.collective().kind == analysis::CollectiveKind::send)
    return s.healthy() ? "gates.message.healthy" : "gates.message";
  return s.healthy() ? "gates.healthy" : "gates";
}

std::string who_section(const ComparedRanks& s) {
  if (!s.aligned()) return "unaligned";
  if (s.report.doubt != analysis::RankDoubt::none) return "who.doubt";
  if (s.report.always_last) return "who.last";
  if (s.healthy()) return has_skews(s.report) ? "who.healthy" : "who.messages";
  return s.report.late_groups.front().ranks.size() > 1 ? "who.group" : "who";
}

std::string places_section(const ComparedRanks& s) {
  if (!s.aligned()) return "unaligned";
  if (!s.places().known() || s.places().largest == 0) return "places.none";
  return s.healthy() ? "places.healthy" : "places";
}

std::string ranks_why_section(const ComparedRanks& s) {
  if (std::string why = not_judged(s); !why.empty()) return why;
  if (arrives_together(s)) return "why.together";
  const analysis::LateCause* const cause = s.cause();
  if (cause == nullptr) return "why.once";
  return cause->kind == analysis::LateKind::unknown ? "why.unknown" : "why";
}

std::string skew_section(const ComparedRanks& s) {
  if (!s.aligned()) return "unaligned";
  if (!has_skews(s.report)) return "skew.none";
  return s.report.ranks.size() < matrix_ranks ? "skew" : "skew.matrix";
}

std::string overlap_section(const ComparedRanks& s) { return s.run.communicating > 0 ? "overlap" : "overlap.none"; }

// Without ranks, or without anything to compare.
std::string without_ranks(const Here& here, Narration::Values& values) {
  const analysis::RankReport* const ranks = here.input.ranks;
  if (ranks == nullptr || ranks->empty()) return "none";
  values["ranks"] = count_text(here.input.narration, "rank", std::ssize(ranks->ranks));
  return analysis::shared_collectives(*ranks) == 0 ? "nothing" : "";
}

Narration::Values ranks_values(const ComparedRanks& scene) {
  const analysis::RankReport& report = scene.report;
  const analysis::MatchedCollective& here = scene.collective();
  const std::int64_t hidden = scene.run.communicating - scene.run.exposed;
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
      {"largest_skew", words::short_time_text(scene.run.largest_skew)},
      {"uncertainty", words::short_time_text(report.alignment.uncertainty)},
      {"waited", words::short_time_text(scene.run.waited)},
      {"transfer", words::short_time_text(scene.run.transfer)},
      {"exposed", words::short_time_text(scene.run.exposed)},
      {"hidden_share", share_text(hidden, scene.run.communicating)}};
  if (const analysis::LateCause* const cause = scene.cause())
    values["cause"] = words::late_cause_text(scene.narration(), *cause);
  values["late_text"] = words::nobody_text(scene.narration(), report);
  if (!scene.healthy()) {
    const analysis::LateGroup& first = report.late_groups.front();
    values["rank"] = words::rank_name(scene.narration(), report, report.causes[first.causes.front()].rank);
    values["late_ranks"] = words::late_ranks_text(scene.narration(), report, first);
    values["late_text"] = words::late_group_text(scene.narration(), report, first);
  }
  return values;
}

// How far the clocks agree.
void clock_facts(const ComparedRanks& s, FactWriter& facts) {
  if (s.aligned())
    facts.difference("uncertainty", s.report.alignment.uncertainty);
  else
    facts.missing("clocks");
}

void gates_facts(const ComparedRanks& s, FactWriter& facts) {
  const analysis::MatchedCollective& here = s.collective();
  clock_facts(s, facts);
  if (here.late != analysis::MatchedCollective::nobody) facts.difference("late_by", here.late_by);
  facts.difference("wait", here.wait);
  facts.difference("transfer", here.transfer);
  if (here.bytes > 0) facts.derived("bytes", static_cast<double>(here.bytes), Unit::bytes);
  if (const double bandwidth = here.algorithm_bandwidth(); bandwidth > 0) {
    facts.derived("algorithm", bandwidth, Unit::gigabytes_per_second);
    facts.derived("bus", here.bus_bandwidth(), Unit::gigabytes_per_second);
  }
  for (const std::string& problem : s.report.problems | std::views::take(most_problems))
    facts.stage().missing.push_back(problem);
}

void gates_shown(const ComparedRanks& s, Stage& stage) {
  const bool asking = s.input.predictions.asking;
  if (s.aligned()) stage.picture = gates_picture(s, stage.phase, !asking);
  if (asking) stage.facts.clear();
}

void who_facts(const ComparedRanks& s, FactWriter& facts) {
  clock_facts(s, facts);
  facts.counted("collectives", analysis::shared_collectives(s.report));
  facts.difference("all_waited", s.run.waited);
  if (has_skews(s.report)) facts.difference("median_skew", analysis::median_skew(s.report));
  facts.counted("causes", s.report.causes.size());
}

PanelRows who_panels(const ComparedRanks& s) {
  if (!s.aligned()) return {};
  return {{1, {who_bars(s, s.sums())}}, {1, {who_table(s, s.sums())}, true}};
}

std::optional<Ask> asks_who(const ComparedRanks& s) {
  if (!s.aligned() || s.report.doubt != analysis::RankDoubt::none) return {};
  return who_question(s, s.sums());
}

void places_facts(const ComparedRanks& s, FactWriter& facts) {
  clock_facts(s, facts);
  facts.counted("causes", s.report.causes.size());
  if (s.places().hosts.known()) facts.counted("hosts", s.places().hosts.names.size());
  if (s.aligned()) facts.difference("mean_lateness", s.places().largest);
}

PanelRows places_panels(const ComparedRanks& s) {
  if (!s.aligned() || !s.places().known()) return {};
  PanelRows rows;
  if (s.places().hosts.known()) rows.push_back({1, {hosts_panel(s, s.places())}});
  if (s.places().axes.size() > 1) rows.push_back({1, {axes_panel(s, s.places())}});
  return rows;
}

void why_facts(const ComparedRanks& s, FactWriter& facts) {
  clock_facts(s, facts);
  if (!analysis::is_shared(s.collective())) return;
  facts.difference("stretch", s.stretch().late);
  facts.difference("stretch_others", s.stretch().others);
  if (!arrives_together(s)) facts.difference("late_by", s.collective().late_by);
}

PanelRows why_panels(const ComparedRanks& s) {
  if (!s.aligned() || !analysis::is_shared(s.collective())) return {};
  PanelRows rows;
  if (!s.stretch().rows.empty()) rows.push_back({1, {why_bars(s, s.stretch())}});
  rows.push_back({1, {why_table(s, s.stretch())}, true});
  return rows;
}

void table_facts(const ComparedRanks& s, FactWriter& facts) {
  clock_facts(s, facts);
  facts.counted("collectives", analysis::shared_collectives(s.report));
  facts.difference("all_transfer", s.run.transfer);
  facts.difference("all_waited", s.run.waited);
}

void skew_facts(const ComparedRanks& s, FactWriter& facts) {
  clock_facts(s, facts);
  if (!has_skews(s.report)) return;
  facts.difference("median_skew", analysis::median_skew(s.report));
  facts.difference("largest_skew", s.run.largest_skew);
}

PanelRows skew_panels(const ComparedRanks& s) {
  if (!s.aligned()) return {};
  if (!has_skews(s.report)) return {{1, {who_bars(s, s.sums())}}};
  PanelRows rows = {{1, {skew_panel(s)}}};
  if (s.report.ranks.size() >= matrix_ranks) rows.push_back({1.4, {matrix_panel(s)}});
  return rows;
}

void overlap_facts(const ComparedRanks& s, FactWriter& facts) {
  facts.difference("all_communicating", s.run.communicating);
  facts.difference("all_hidden", s.run.communicating - s.run.exposed);
  facts.difference("all_exposed", s.run.exposed);
}

ControlNames no_rank_controls(const ComparedRanks&) { return {}; }
ControlNames choice_of_collective(const ComparedRanks&) { return {"collective"}; }

constexpr Frame<ComparedRanks> ranks_frame = {
    .subject = [](const Here& here) { return ComparedRanks(here.input); },
    .stop = "op",
    .instead = without_ranks,
    .values = ranks_values,
    .complete = [](ComparedRanks& s, const Narration::Values&, Stage& stage) { stage.controls = s.controls.take(); }};

constexpr BeatOf<ComparedRanks> ranks_beats[] = {
    {.key = "gates",
     .motion_seconds = 3.5,
     .section = gates_section,
     .facts = gates_facts,
     .picture = gates_shown,
     .controls = choice_of_collective},
    {.key = "who",
     .section = who_section,
     .facts = who_facts,
     .panels = who_panels,
     .controls = no_rank_controls,
     .question = asks_who},
    {.key = "places",
     .section = places_section,
     .facts = places_facts,
     .panels = places_panels,
     .controls = no_rank_controls},
    {.key = "why",
     .section = ranks_why_section,
     .facts = why_facts,
     .panels = why_panels,
     .controls = choice_of_collective},
    {.key = "table",
     .facts = table_facts,
     .panels = [](const ComparedRanks& s) -> PanelRows {
       return {{1, {collectives_table(s, collective_sums(s.report))}, true}};
     },
     .controls = [](const ComparedRanks&) -> ControlNames { return {"sort"}; }},
    {.key = "skew", .section = skew_section, .facts = skew_facts, .panels = skew_panels, .controls = no_rank_controls},
    {.key = "overlap",
     .section = overlap_section,
     .facts = overlap_facts,
     .panels = [](const ComparedRanks& s) -> PanelRows {
       return {{0.9, {overlap_bars(s)}}, {1.1, {overlap_table(s), bandwidth_panel(s)}}};
     },
     .controls = no_rank_controls}};

}  // namespace

const Contents& ranks_scene() {
  static const BeatTable table(RanksScene::name, ranks_frame, ranks_beats);
  return table;
}

}  // namespace warpwalk::story
