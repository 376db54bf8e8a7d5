// The block scheduler at work: every SM over the cycles of a simulated launch, its milestones beside the measured ones,
// and the blocks of one SM.
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "core/run/replay/history.h"
#include "core/story/facts/simulated/block_times.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/facts/simulated/gpu_glance.h"
#include "core/story/facts/simulated/simulated_launch.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/launch/launch.h"

namespace warpwalk::story {
namespace {

/// The whole launch at one cycle.
struct SimulatedLaunch {
  run::TimeTravel& travel;
  ControlSet controls;
  std::uint16_t sm = 0;  ///< followed
  BlockTimes blocks = {};
  std::optional<BlockTimes> measured = {};  ///< of the kernel itself
  std::int64_t end = 0;  ///< cycles until the last store is confirmed, or of the part that was simulated
  std::int64_t cycle = 0;
  double swept = 1;

  /// Not all blocks have ended: the simulation was ended early, or a finding ended the launch.
  bool cut() const { return blocks.ended(blocks.end) < blocks.grid; }
  std::uint64_t later() const { return blocks.blocks.size() - blocks.first_wave(); }
};

/// A moment of a launch that the table names.
struct Milestone {
  std::string_view key;
  std::optional<BlockTime> block;
  std::optional<std::int64_t> at;
};

// The blocks of the first wave, which start before any slot becomes free.
std::optional<BlockTime> last_of_first_wave(const BlockTimes& times) {
  std::optional<BlockTime> last;
  for (const BlockTime& block : times.blocks)
    if (block.turn == 0) last = block;
  return last;
}

std::vector<Milestone> milestones_of(const BlockTimes& times) {
  std::vector<Milestone> found;
  const auto add = [&](std::string_view key, const std::optional<BlockTime>& block, bool start) {
    if (block) found.push_back({key, block, start ? block->start : block->end});
  };
  add("first_wave", last_of_first_wave(times), true);
  add("first_end", times.first_ended(), false);
  add("first_later", times.first_later(), true);
  // If blocks are missing at the end, the last ones of the launch are not known.
  if (times.ended(times.end) < times.grid) return found;
  if (times.first_later()) add("last_start", times.last_started(), true);
  add("last_end", times.last_ended(), false);
  return found;
}

SimulatedLaunch launch_of(const SceneInput& input) {
  run::TimeTravel& travel = *input.history.travel;
  SimulatedLaunch s{travel, ControlSet(input, "launch")};
  s.sm = chosen_sm(s.controls, input, travel);
  s.blocks = simulated_blocks(travel);
  if (input.history.own()) s.measured = measured_blocks(input.trace, input.walk);
  s.end = s.blocks.end;
  for (const std::uint16_t sm : travel.busy_sms()) s.end = std::max(s.end, travel.end(sm) - 1);
  // At rest, the moment at which the tail begins: no block waits any longer, or the first one has ended.
  std::int64_t rest = s.cut() ? s.end - 1 : s.end;
  if (s.later() > 0 && !s.cut())
    rest = s.blocks.last_started()->start;
  else if (const auto first = s.blocks.first_ended())
    rest = first->end;
  const double phase = eased(input.moment.phase);
  s.cycle = std::clamp<std::int64_t>(input.cycle.value_or(std::llround(phase * static_cast<double>(rest))), 0, s.end);
  s.swept = input.cycle ? 1 : phase;
  return s;
}

TablePicture milestones(const SceneInput& input, const SimulatedLaunch& s) {
  const Narration& n = input.narration;
  const auto word = [&](std::string_view key, const Narration::Values& values = {}) {
    return n.text("launch.milestone", key, values);
  };
  TablePicture table;
  table.columns = {{"", 1.9}, {word("where"), 1.2}, {word("cycle"), 0.8, true}, {word("simulated"), 0.9, true}};
  if (s.measured) table.columns.push_back({word("measured"), 0.9, true});
  const std::vector<Milestone> real = s.measured ? milestones_of(*s.measured) : std::vector<Milestone>();
  const auto time = [&](std::int64_t cycles) {
    return figure_cell(
        Figure::recorded(cycles_ns(s.travel, static_cast<double>(cycles)), Unit::nanoseconds, Origin::simulated));
  };
  const auto add = [&](std::string_view key, std::string where, std::int64_t cycle, std::optional<std::int64_t> ns,
                       bool goes) {
    TableRow row;
    row.cells = {word_cell(word(key)), word_cell(std::move(where), Tone::quiet), number_cell(cycle), time(cycle)};
    if (s.measured)
      row.cells.push_back(
          ns ? figure_cell(Figure::recorded(static_cast<double>(*ns), Unit::nanoseconds, Origin::measured))
             : word_cell(""));
    if (goes) row.cycle = cycle;
    table.rows.push_back(std::move(row));
  };
  for (const Milestone& milestone : milestones_of(s.blocks)) {
    const auto same = std::ranges::find(real, milestone.key, &Milestone::key);
    add(milestone.key,
        word("block", {{"block", with_thousands(static_cast<std::int64_t>(milestone.block->block))},
                       {"sm", std::to_string(milestone.block->sm)}}),
        *milestone.at, same == real.end() ? std::nullopt : same->at, true);
  }
  if (s.cut()) return table;
  if (s.end > s.blocks.end) add("drain", "", s.end, {}, true);
  add("whole", word("cost", {{"n", with_thousands(std::llround(s.travel.timing().launch_cost))}}),
      std::llround(s.travel.timing().cycles), {}, false);
  // CUPTI's time ends between the last block and the end of the launch, so it has a row of its own.
  if (const std::optional<TimeBeside> beside = time_beside(input); s.measured && beside)
    table.rows.push_back({{word_cell(word("cupti")), word_cell(word("cupti_part"), Tone::quiet), word_cell(""),
                           figure_cell(Figure::recorded(beside->simulated, Unit::nanoseconds, Origin::simulated)),
                           figure_cell(Figure::recorded(beside->measured, Unit::nanoseconds, Origin::measured))}});
  return table;
}

Panels picture_of(const SceneInput& input, const SimulatedLaunch& s, const Narration::Values& values) {
  const Narration& n = input.narration;
  const auto heading = [&](std::string_view key) { return n.text("launch.heading", key, values); };
  HeatPicture all = gpu_glance(n, s.travel, s.sm, s.cycle, GlanceShows::residents);
  all.swept = s.swept;
  RasterPicture one = blocks_raster(n, s.blocks.on(s.sm), s.end, false);
  one.now = s.cycle;
  one.picks_cycle = true;
  Panels panels;
  // The table below has up to eight rows.
  panels.rows.push_back({1.1, {{heading(input.history.stand_in() ? "all.stand_in" : "all"), 1, std::move(all)}}});
  panels.rows.push_back({1, {{heading("milestones"), 1.5, milestones(input, s)}, {heading("one"), 1, std::move(one)}}});
  return panels;
}

void add_values(const SceneInput& input, const SimulatedLaunch& s, Narration::Values& values) {
  const auto blocks = [&](std::uint64_t n) { return counted_words(input.narration, "blocks", n); };
  const auto cycles = [&](std::int64_t n) { return count_text(input.narration, "cycle", n); };
  values["sm"] = std::to_string(s.sm);
  values["cycle"] = with_thousands(s.cycle);
  values["first"] = blocks(s.blocks.first_wave());
  values["later"] = blocks(s.later());
  values["started"] = with_thousands(static_cast<std::int64_t>(s.blocks.blocks.size()));
  values["ended"] = with_thousands(static_cast<std::int64_t>(s.blocks.ended(s.blocks.end)));
  values["entry"] = input.history.history->entry;
  values["all"] = blocks(s.blocks.grid);
  values["end"] = with_thousands(s.end);
  values["cycles"] = cycles(s.end);
  if (const auto last = last_of_first_wave(s.blocks)) values["placed_by"] = with_thousands(last->start);
  if (const auto first = s.blocks.first_ended()) values["first_end"] = with_thousands(first->end);
  if (const auto last = s.blocks.last_ended()) {
    values["last_end"] = with_thousands(last->end);
    values["apart"] = cycles(last->end - s.blocks.first_ended()->end);
  }
  if (const auto last = s.blocks.last_started()) {
    values["last_start"] = with_thousands(last->start);
    values["tail_cycles"] = cycles(s.blocks.end - last->start);
  }
}

// The launch cycle by cycle, or why there are no cycles.
struct SimulatedBlocks {
  LaunchSubject launch;
  std::string missing;
  std::optional<SimulatedLaunch> run;
};

SimulatedBlocks blocks_subject(const Here& here) {
  SimulatedBlocks s{launch_subject(here.input, Placed::several_waves), {}, {}};
  s.missing = missing_cycles(here.input, s.launch.values);
  if (!s.missing.empty()) return s;
  s.run.emplace(launch_of(here.input));
  add_values(here.input, *s.run, s.launch.values);
  return s;
}

std::string blocks_section(const SimulatedBlocks& s) {
  if (!s.run) return fmt::format("blocks.{}", s.missing);
  if (s.run->cut()) return "blocks.cut";
  if (s.run->later() > 0) return "blocks";
  const auto first = s.run->blocks.first_ended(), last = s.run->blocks.last_ended();
  return first && last && 20 * (last->end - first->end) < last->end ? "blocks.even" : "blocks.one";
}

void blocks_facts(const SimulatedBlocks& all, FactWriter& facts) {
  if (!all.run) return;
  const SimulatedLaunch& s = *all.run;
  const auto simulated = [&](std::string_view key, std::uint64_t value) {
    facts.fact(key, Figure::recorded(static_cast<double>(value), Unit::count, Origin::simulated));
  };
  simulated("blocks_resident", s.blocks.resident(s.cycle));
  simulated("blocks_ended", s.blocks.ended(s.cycle));
  simulated("blocks_first", s.blocks.first_wave());
  simulated("blocks_later", s.later());
  if (s.measured) {
    facts.fact("measured_later",
               Figure::recorded(static_cast<double>(s.measured->blocks.size() - s.measured->first_wave()), Unit::count,
                                Origin::measured));
  }
  simulated_launch_facts(all.launch.input, facts.stage());
}

void blocks_shown(const SimulatedBlocks& s, Stage& stage) {
  if (s.run)
    stage.picture = std::make_shared<const Panels>(picture_of(s.launch.input, *s.run, s.launch.values));
  else
    stage.picture = std::make_shared<const LaunchPicture>(tail_picture(s.launch, 1));
}

void complete_blocks(SimulatedBlocks& s, const Narration::Values&, Stage& stage) {
  if (!s.run) return;
  stage.cycle = CyclePlace{s.run->cycle, s.run->end};
  stage.controls = s.run->controls.take();
}

// The next or the previous cycle at which a block starts or ends.
std::optional<std::int64_t> next_change(const SimulatedBlocks& s, bool forward) {
  if (!s.run) return {};
  std::optional<std::int64_t> next;
  const auto consider = [&](std::int64_t at) {
    if (forward ? at <= s.run->cycle : at >= s.run->cycle) return;
    if (!next || (forward ? at < *next : at > *next)) next = at;
  };
  for (const BlockTime& block : s.run->blocks.blocks) {
    consider(block.start);
    if (block.ended) consider(block.end);
  }
  return next;
}

std::optional<std::int64_t> blocks_anchor(const WalkTimes& t) {
  if (!launches_blocks(t.trace, t.walk)) return {};
  return std::max(t.end(t.walk.kernel), t.end_of_trace());
}

constexpr Frame<SimulatedBlocks> blocks_frame = {.subject = blocks_subject,
                                                 .stop = "sm",
                                                 .values = [](const SimulatedBlocks& s) { return s.launch.values; },
                                                 .complete = complete_blocks};

constexpr BeatOf<SimulatedBlocks> blocks_beat = {.key = "blocks",
                                                 .anchor = blocks_anchor,
                                                 .needs = Needs::cycles,
                                                 .section = blocks_section,
                                                 .facts = blocks_facts,
                                                 .picture = blocks_shown,
                                                 .next_cycle = next_change};

}  // namespace

std::shared_ptr<const AnyBeat> simulated_blocks_beat() { return framed(blocks_frame, blocks_beat); }

}  // namespace warpwalk::story
