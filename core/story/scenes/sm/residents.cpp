// The residents of one SM over a simulated launch: the warp slots in one cycle, the blocks over time, and the occupancy
// that was achieved beside the theoretical one.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "core/run/replay/history.h"
#include "core/story/elements/moment.h"
#include "core/story/facts/simulated/block_times.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/facts/simulated/simulated_launch.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/pictures/panels.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

/// One SM in one cycle.
struct Residents {
  const SceneInput& input;
  run::TimeTravel& travel;
  ControlSet controls;
  std::uint16_t sm = 0;
  std::int64_t end = 0;  ///< cycles of the SM
  std::int64_t cycle = 0;
  BlockTimes launch = {};
  std::vector<BlockTime> here = {};  ///< blocks of this SM
  std::optional<BlockTimes> measured_launch = {};
  std::vector<BlockTime> measured = {};  ///< those of this SM
  gpu::Occupancy fit = {};

  std::int64_t now() const {
    return std::ranges::count_if(here, [&](const BlockTime& block) { return block.resident(cycle); });
  }
};

// The middle of the longest time in which as many blocks as ever are resident.
std::int64_t fullest_cycle(const std::vector<BlockTime>& blocks) {
  const auto most = static_cast<std::int64_t>(most_at_once(blocks));
  std::map<std::int64_t, std::int64_t> change;
  for (const BlockTime& block : blocks) {
    ++change[block.start];
    --change[block.end];
  }
  std::int64_t best = 0, longest = -1, now = 0;
  for (auto at = change.begin(); at != change.end(); ++at) {
    now += at->second;
    const auto next = std::next(at);
    if (now < most || next == change.end() || next->first - at->first <= longest) continue;
    longest = next->first - at->first;
    best = at->first + longest / 2;
  }
  return best;
}

Residents residents_of(const SceneInput& input) {
  run::TimeTravel& travel = *input.history.travel;
  Residents r{input, travel, ControlSet(input, "sm")};
  r.sm = chosen_sm(r.controls, input, travel);
  r.end = travel.end(r.sm);
  r.launch = simulated_blocks(travel);
  r.here = r.launch.on(r.sm);
  // Measurements of the kernel are not shown beside a stand-in.
  if (input.history.own()) r.measured_launch = measured_blocks(input.trace, input.walk);
  if (r.measured_launch) r.measured = r.measured_launch->on(r.sm);
  r.fit = simulated_occupancy(input);
  const auto rest = static_cast<double>(fullest_cycle(r.here));
  r.cycle = std::clamp<std::int64_t>(input.cycle.value_or(std::llround(eased(input.moment.phase) * rest)), 0, r.end);
  return r;
}

std::string derived_percent(double value) { return Figure::derived(value, Unit::percent, "-").text(); }

// The warp slots in rows of their sub-partitions, as they are in this cycle.
CellGrid slots_now(const Residents& r, const Narration::Values& values) {
  const Narration& n = r.input.narration;
  const auto parts = static_cast<std::size_t>(*r.travel.device().sub_partitions),
             slots = static_cast<std::size_t>(*r.travel.device().warps_per_sm);
  CellGrid grid;
  grid.columns = slots / parts;
  grid.cells.assign(slots, {Tone::quiet, "", n.text("sm.resident", "free", values)});
  bool ended = false;
  const auto moment = r.travel.at(r.sm, r.cycle);
  for (const gpu::WarpState& warp : moment->state.warps) {
    const std::size_t slot = warp.place.slot;
    if (slot >= slots) continue;
    Cell& cell = grid.cells[slot % parts * grid.columns + slot / parts];
    cell.tone = warp.exited ? Tone::plain : Tone::work;
    cell.label = std::to_string(warp.place.block);
    cell.tip = n.text(
        "sm.resident", warp.exited ? "warp_ended" : "warp",
        {{"warp", warp_name(n, warp.place)}, {"slot", std::to_string(slot)}, {"part", std::to_string(slot % parts)}});
    ended = ended || warp.exited;
  }
  grid.legend = {{Tone::work, n.text("sm.resident", "word_warp")}, {Tone::quiet, n.text("sm.resident", "word_free")}};
  if (ended) grid.legend.insert(grid.legend.begin() + 1, {Tone::plain, n.text("sm.resident", "word_ended")});
  grid.note = n.text("sm.resident", "note", values);
  grid.summary = n.text("sm.resident", "summary", values);
  return grid;
}

// The number of blocks by arithmetic, in the simulation and, if recorded, on a GPU.
TablePicture compared(const Residents& r, const Narration::Values& values) {
  const Narration& n = r.input.narration;
  const auto word = [&](std::string_view key) { return n.text("sm.resident", key, values); };
  const auto formula = [&](std::string_view key) { return n.text("sm.formula", key, values); };
  const bool measured = r.measured_launch.has_value();
  const trace::NamedCounter* const achieved =
      r.input.history.own() ? recorded_counter(r.input, "achieved_occupancy_pct") : nullptr;
  const bool counted = achieved != nullptr && achieved->origin == Origin::measured;
  const std::optional<TimeBeside> time = time_beside(r.input);
  const bool third = measured || counted || time;
  TablePicture table;
  table.columns = {{"", 1.6}, {word("derived"), 1, true}, {word("simulated"), 1, true}};
  if (third) table.columns.push_back({word("measured"), 1, true});
  const auto row = [&](std::string_view key, std::optional<Figure> derived, std::optional<Figure> simulated,
                       std::optional<Figure> real) {
    TableRow& made = table.rows.emplace_back();
    made.cells.push_back(word_cell(word(key), Tone::quiet));
    for (std::optional<Figure>* const figure : {&derived, &simulated, &real}) {
      if (figure == &real && !third) break;
      made.cells.push_back(*figure ? figure_cell(std::move(**figure)) : word_cell(""));
    }
  };
  const auto number = [](auto value, Origin origin) {
    return Figure::recorded(static_cast<double>(value), Unit::count, origin);
  };
  const auto real = [&](auto value) {
    return measured ? std::optional(number(value, Origin::measured)) : std::nullopt;
  };
  row("at_once", Figure::derived(static_cast<double>(r.fit.blocks_per_sm), Unit::count, formula("fit")),
      number(most_at_once(r.here), Origin::simulated), real(most_at_once(r.measured)));
  row("in_all",
      Figure::derived(static_cast<double>(r.launch.grid) / static_cast<double>(*r.travel.device().sm_count),
                      Unit::count, formula("fair_share")),
      number(r.here.size(), Origin::simulated), real(r.measured.size()));
  row("occupancy", Figure::derived(r.fit.percent, Unit::percent, formula("possible_occupancy")),
      Figure::recorded(achieved_occupancy(r.travel), Unit::percent, Origin::simulated),
      counted ? std::optional(Figure::recorded(achieved->value, Unit::percent, Origin::measured)) : std::nullopt);
  if (time) {
    const auto nanoseconds = [](double ns, Origin origin) { return Figure::recorded(ns, Unit::nanoseconds, origin); };
    const gpu::LaunchTiming& timing = r.travel.timing();
    const auto simulated = [&](double cycles) { return nanoseconds(cycles_ns(r.travel, cycles), Origin::simulated); };
    row("time", {}, simulated(timing.cycles - timing.launch_cost), {});
    row("time_launch", {}, simulated(timing.cycles), {});
    row("time_cupti", {}, nanoseconds(time->simulated, Origin::simulated),
        nanoseconds(time->measured, Origin::measured));
  }
  return table;
}

PanelRows rows_of(const Residents& r, const Narration::Values& values) {
  const Narration& n = r.input.narration;
  const auto heading = [&](std::string_view key) { return n.text("sm.heading", key, values); };
  PanelRows rows;
  rows.push_back({1.15,
                  {{heading("slots"), 1.2, slots_now(r, values)},
                   {heading(r.input.history.stand_in() ? "compared.stand_in" : "compared"), 1, compared(r, values)}}});
  RasterPicture simulated = blocks_raster(n, r.here, r.end, false);
  simulated.now = r.cycle;
  simulated.picks_cycle = true;
  PanelRow& over_time = rows.emplace_back(PanelRow{1, {}});
  over_time.panels.push_back({heading("simulated"), 1, std::move(simulated)});
  if (!r.measured.empty())
    over_time.panels.push_back({heading("measured"), 1, blocks_raster(n, r.measured, r.measured_launch->end, true)});
  return rows;
}

void add_values(const Residents& r, Narration::Values& values) {
  const SceneInput& input = r.input;
  values["sm"] = std::to_string(r.sm);
  values["cycle"] = with_thousands(r.cycle);
  values["now"] = counted(input, "block", r.now());
  values["fit"] = counted(input, "block", r.fit.blocks_per_sm);
  values["possible"] = derived_percent(r.fit.percent);
  values["achieved"] = derived_percent(achieved_occupancy(r.travel));
  values["end"] = with_thousands(r.end);
  values["grid_blocks"] = counted(input, "block", static_cast<std::int64_t>(r.launch.grid));
  values["entry"] = input.history.history->entry;
  values["parts"] = std::to_string(*r.travel.device().sub_partitions);
}

/// The residents, or why they are not there.
struct ResidentsSubject {
  SmSubject launch;
  std::string missing;
  std::optional<Residents> shown;
  Narration::Values values;
};

ResidentsSubject residents_subject(const Here& here) {
  ResidentsSubject s{sm_subject(here), "", {}, {}};
  s.values = s.launch.values;
  s.missing = missing_cycles(here.input, s.values);
  if (!s.missing.empty()) return s;
  s.shown.emplace(residents_of(here.input));
  add_values(*s.shown, s.values);
  return s;
}

std::string residents_section(const ResidentsSubject& s) {
  if (!s.shown) return "residents." + s.missing;
  const Residents& r = *s.shown;
  if (r.travel.timing().cut) return "residents.cut";
  const auto room = static_cast<double>(r.fit.blocks_per_sm * *r.travel.device().sm_count);
  const auto grid = static_cast<double>(r.launch.grid);
  constexpr double nearly = 0.8;  // of the places: from there on, it is not the grid that leaves them empty
  return grid > room ? "residents" : grid > nearly * room ? "residents.once" : "residents.small";
}

void residents_facts(const ResidentsSubject& s, FactWriter& facts) {
  if (!s.shown) return;
  const Residents& r = *s.shown;
  const auto simulated = [&](std::string_view key, double value, Unit unit) {
    facts.fact(key, Figure::recorded(value, unit, Origin::simulated));
  };
  simulated("resident_now", static_cast<double>(r.now()), Unit::count);
  facts.derived("fit", counted(r.input, "block", r.fit.blocks_per_sm));
  facts.derived("possible_occupancy", r.fit.percent, Unit::percent);
  simulated("achieved_occupancy", achieved_occupancy(r.travel), Unit::percent);
  simulated_launch_facts(r.input, facts.stage());
}

void complete_residents(ResidentsSubject& s, const Narration::Values&, Stage& stage) {
  if (!s.shown) return;
  stage.cycle = CyclePlace{s.shown->cycle, s.shown->end};
  stage.controls = s.shown->controls.take();
}

void residents_picture(const ResidentsSubject& s, Stage& stage) {
  if (s.shown)
    stage.picture = std::make_shared<const Panels>(Panels{rows_of(*s.shown, s.values)});
  else
    stage.picture = std::make_shared<const SmPicture>(sm_picture(s.launch, curves_come, 1));
}

// The next or the previous cycle at which a block starts or ends on the SM.
std::optional<std::int64_t> next_change(const ResidentsSubject& s, bool forward) {
  if (!s.shown) return {};
  const Residents& r = *s.shown;
  std::set<std::int64_t> changes;
  for (const BlockTime& block : r.here) {
    changes.insert(block.start);
    if (block.ended) changes.insert(block.end);
  }
  if (forward) {
    const auto next = changes.upper_bound(r.cycle);
    return next == changes.end() ? std::nullopt : std::optional(*next);
  }
  const auto next = changes.lower_bound(r.cycle);
  return next == changes.begin() ? std::nullopt : std::optional(*std::prev(next));
}

constexpr Frame<ResidentsSubject> over_cycles = {.subject = residents_subject,
                                                 .stop = "sm",
                                                 .values = [](const ResidentsSubject& s) { return s.values; },
                                                 .facts = residents_facts,
                                                 .complete = complete_residents};

}  // namespace

std::shared_ptr<const AnyBeat> residents_beat(std::optional<std::int64_t> (*anchor)(const WalkTimes&)) {
  return framed(over_cycles, {
                                 .key = "residents",
                                 .anchor = anchor,
                                 .needs = Needs::cycles,
                                 .section = residents_section,
                                 .picture = residents_picture,
                                 .next_cycle = next_change,
                             });
}

}  // namespace warpwalk::story
