#pragma once

// The scene "ranks": what its files share.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/ranks/rank_axes.h"
#include "core/analysis/ranks/rank_hosts.h"
#include "core/analysis/ranks/rank_report.h"
#include "core/story/facts/words/ask.h"
#include "core/story/pictures/panels.h"
#include "core/story/scenes/ranks/picture.h"
#include "core/story/stage/control_set.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The settings of the scene, and words for what it shows. There must be ranks with collectives.
struct RanksScene {
  static constexpr std::string_view name = "ranks";

  const SceneInput& input;
  const analysis::RankReport& report;
  ControlSet controls{input, name};
  std::size_t chosen = 0;  ///< in RankReport::collectives: the one that is looked at
  std::size_t sort = 0;    ///< of the table: 0 step, 1 waiting, 2 transfer, 3 bandwidth, 4 bytes

  explicit RanksScene(const SceneInput& in);

  const Narration& narration() const { return input.narration; }
  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  std::string formula(std::string_view key) const;
  /// A cell with a derived figure; `formula` is a key of [ranks.formula].
  TableCell derived(std::string text, std::string_view formula) const;
  TableCell count(std::size_t n, std::string_view formula) const;
  std::string rank_word(std::size_t rank) const;  ///< "rank 1"
  std::string kind_word(analysis::CollectiveKind kind) const;
  std::string group_word(std::size_t group) const;

  const analysis::MatchedCollective& collective() const { return report.collectives[chosen]; }
  bool healthy() const { return report.causes.empty(); }
  /// Why the last rank comes late at the chosen collective; null if nobody does, or if the cause was not found.
  const analysis::LateCause* cause() const;
  /// The first, most expensive cause of a rank; null if it has none.
  const analysis::LateCause* cause_of(std::size_t rank) const;
  /// Ranks to be shown, ascending: all, or `most` with the late ones, the open one and others at equal distances.
  std::vector<std::size_t> shown_ranks(std::size_t most) const;
  /// "12 of 64 ranks are shown"; empty if all are.
  std::string shown_note(std::size_t shown) const;
};

/// So many ranks have rows of their own; RanksScene::shown_ranks chooses them.
constexpr std::size_t most_shown_ranks = 12;
/// Likewise where a table stands below the rows: more would not fit on a stage.
constexpr std::size_t most_ranks_above_table = 8;

/// The member that arrives last; the collective has members.
const analysis::Member& last_member(const analysis::MatchedCollective& collective);
const analysis::RankCollective& own_part(const analysis::RankReport& report, const analysis::Member& member);
/// The GPU work of a member, or else its op.
RankTarget target_of(const analysis::RankReport& report, const analysis::Member& member);
/// A local time of a rank on the common clock.
std::int64_t common_time(const analysis::RankReport& report, std::size_t rank, std::int64_t local);

/// A part of the run around a collective.
struct GateWindow {
  std::int64_t from = 0, to = 1;    ///< common clock
  std::size_t first = 0, last = 0;  ///< in RankReport::collectives; `last` exclusive
};
/// The collectives of one step around this one, with the last rank's stretch before it. Long steps are cut.
GateWindow gate_window(const analysis::RankReport& report, std::size_t collective);
/// `phase`: of the motion. `named`: late ranks and causes may be named.
std::shared_ptr<const GatesPicture> gates_picture(const RanksScene& scene, double phase, bool named);

/// Sums over the whole run, of one rank.
struct RankSums {
  std::size_t collectives = 0, last_in = 0;
  std::int64_t waited = 0;  ///< ns in all its collectives
  /// ns of them at most in which no kernel computed: of each collective the smaller one of its waiting and its time
  /// without compute.
  std::int64_t waited_exposed = 0;
};
std::vector<RankSums> rank_sums(const analysis::RankReport& report);
/// A part of a rank's GPU time.
struct RankPart {
  std::int64_t time = 0;  ///< ns
  Role role = Role::kernel;
  std::string_view label, legend;  ///< keys of [ranks.word]
};
using RankParts = std::array<RankPart, 3>;
/// A row for each of the ranks that are shown, with its parts one after the other; a bar of no time is left out.
Panel parts_of_ranks(const RanksScene& scene, const std::function<RankParts(std::size_t rank)>& parts_of,
                     const std::function<RankTarget(std::size_t rank)>& target_of);
Panel who_bars(const RanksScene& scene, const std::vector<RankSums>& sums);
Panel who_table(const RanksScene& scene, const std::vector<RankSums>& sums);
/// Which rank do the others wait for?
Ask who_question(const RanksScene& scene, const std::vector<RankSums>& sums);

/// The time of one line, call or kernel before a collective, on its last rank and on the others.
struct StretchRow {
  std::string name;
  analysis::CostKind kind = analysis::CostKind::line;  ///< on the last rank, if it has it
  std::int64_t late = 0;                               ///< ns on the last rank
  std::int64_t others = 0;                             ///< ns, median of the others
  std::size_t count = 0;                               ///< on the last rank
  SliceId slice = no_slice;                            ///< of the last rank: the longest one
  std::int64_t difference() const { return late - others; }
};
/// The stretches before a collective, from the call of the rank's previous collective.
struct Stretch {
  std::size_t rank = 0;          ///< the one that arrives last
  std::int64_t late = 0;         ///< ns, of its stretch
  std::int64_t others = 0;       ///< ns, median of the others' stretches
  std::vector<StretchRow> rows;  ///< the largest difference first
};
Stretch stretch_before(const analysis::RankReport& report, const analysis::MatchedCollective& collective);
/// "train.py(31): load_batch" without folders; of a call, with the line that it is in.
std::string cost_name(const analysis::RankDigest& digest, const analysis::StretchCost& cost);
Panel why_bars(const RanksScene& scene, const Stretch& stretch);
Panel why_table(const RanksScene& scene, const Stretch& stretch);

/// Collectives of one step, group and kind.
struct CollectiveSums {
  std::int64_t step = -1;
  std::size_t group = 0;
  analysis::CollectiveKind kind = analysis::CollectiveKind::other;
  std::size_t count = 0;
  std::int64_t bytes = 0, transfer = 0, wait = 0;          ///< sums
  double carried = 0;                                      ///< bytes on the bus, of those with a known size and time
  std::int64_t carrying = 0;                               ///< ns of these
  std::size_t last = analysis::MatchedCollective::nobody;  ///< index of the rank that is late most often
  std::size_t longest = 0;  ///< in RankReport::collectives: the one with the longest waiting
  double bus_bandwidth() const { return carrying > 0 ? carried / static_cast<double>(carrying) : 0; }
};
/// By step, group and kind, in the order of their first collective.
std::vector<CollectiveSums> collective_sums(const analysis::RankReport& report);
Panel collectives_table(const RanksScene& scene, const std::vector<CollectiveSums>& sums);

/// Time along the steps, or along the numbers of the collectives if no steps are recorded, in columns.
struct SkewAxis {
  bool steps = false;
  std::int64_t from = 0, to = 1, width = 1;  ///< of all, `to` exclusive; of a column
  std::size_t columns() const { return static_cast<std::size_t>((to - from + width - 1) / width); }
  /// The column of a collective; `columns()` if it belongs to no step.
  std::size_t column_of(const analysis::RankReport& report, std::size_t collective) const;
};
SkewAxis skew_axis(const analysis::RankReport& report, std::size_t most_columns);
Panel skew_panel(const RanksScene& scene);
/// Lateness by rank and step: the largest one of each column, after the median arrival.
Panel matrix_panel(const RanksScene& scene);
/// From so many ranks on there is a matrix.
constexpr std::size_t matrix_ranks = 8;

/// Where the ranks are, and how late they are there.
struct RankPlaces {
  analysis::RankHosts hosts;
  std::vector<analysis::RankAxis> axes;  ///< the largest first
  std::vector<std::int64_t> lateness;    ///< by rank, ns: the mean; -1: not known
  std::int64_t largest = 0;              ///< of them
  std::size_t latest = 0;                ///< whose it is

  bool known() const { return hosts.known() || axes.size() > 1; }
};
RankPlaces rank_places(const analysis::RankReport& report);
/// Hosts from left to right, their GPUs from top to bottom.
Panel hosts_panel(const RanksScene& scene, const RankPlaces& places);
/// The largest axis from left to right, the others from top to bottom. There must be one.
Panel axes_panel(const RanksScene& scene, const RankPlaces& places);

Panel overlap_bars(const RanksScene& scene);
Panel overlap_table(const RanksScene& scene);
/// Bus bandwidth against message size.
Panel bandwidth_panel(const RanksScene& scene);

/// An axis in powers of ten that holds both values.
ScatterAxis decades_axis(std::string label, double least, double most, std::string (*text)(double));

}  // namespace warpwalk::story
