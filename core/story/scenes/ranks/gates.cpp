// Ranks as rows over one clock, with collectives as gates.
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/ranks/rank_report.h"
#include "core/story/elements/figure.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/words/rank_text.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_gates = 24;
constexpr std::int64_t widest_window = 4;  // times the last rank's stretch, on each side

// The end of the rank's previous collective, on the common clock; without one, the beginning of its trace.
std::int64_t end_before(const analysis::RankReport& report, const analysis::Member& member) {
  const analysis::RankDigest& digest = report.ranks[member.rank];
  return common_time(report, member.rank,
                     member.collective == 0 ? digest.begin : digest.collectives[member.collective - 1].end);
}

// The costs before a collective: the longest one of the GPU or, without one, of the CPU.
const analysis::StretchCost* longest_cost(const analysis::RankDigest& digest, const analysis::RankCollective& own,
                                          bool of_gpu) {
  const auto from = digest.costs.begin() + static_cast<std::ptrdiff_t>(own.first_cost);
  const auto to = from + static_cast<std::ptrdiff_t>(own.costs);
  const auto found =
      std::find_if(from, to, [&](const analysis::StretchCost& one) { return analysis::is_of_gpu(one.kind) == of_gpu; });
  if (found != to) return &*found;
  return of_gpu && from != to ? &*from : nullptr;
}

struct Coming {
  const analysis::Member* member = nullptr;
  std::size_t collective = 0;
};

// Adds the bars of one rank.
class RowBars {
 public:
  RowBars(const RanksScene& scene, GateRow& row, bool named) : scene_(scene), row_(row), named_(named) {}

  void add(const Coming& coming) {
    const analysis::Member& member = *coming.member;
    if (!begun_) busy_.fill(end_before(scene_.report, member));
    begun_ = true;
    const std::int64_t free_from = std::max(busy_[0], busy_[1]);
    if (free_from < member.arrival) add_before(coming, free_from);
    const std::size_t lane = busy_[0] <= member.arrival || busy_[0] <= busy_[1] ? 0 : 1;
    const analysis::MatchedCollective& collective = scene_.report.collectives[coming.collective];
    const std::string kind = scene_.kind_word(collective.kind);
    const RankTarget target = target_of(scene_.report, member);
    const std::int64_t opens = std::min(member.arrival + member.wait, member.end);
    const auto part = [&](GateBar::Kind one, std::int64_t from, std::int64_t to, std::string_view tip) {
      if (to <= from) return;
      add_bar(coming, one, from, to, lane,
              scene_.word(tip, {{"rank", row_.name}, {"kind", kind}, {"time", words::short_time_text(to - from)}}),
              target);
    };
    part(GateBar::Kind::waiting, member.arrival, opens, "tip_waiting");
    part(GateBar::Kind::transfer, opens, member.end, "tip_transfer");
    busy_[lane] = std::max(busy_[lane], member.end);
    row_.lanes = std::max(row_.lanes, lane + 1);
  }

 private:
  void add_before(const Coming& coming, std::int64_t from) {
    const analysis::Member& member = *coming.member;
    const analysis::RankDigest& digest = scene_.report.ranks[member.rank];
    const analysis::RankCollective& own = own_part(scene_.report, member);
    std::int64_t ready = from;  // no work before it is recorded
    if (own.work == no_slice)
      ready = member.arrival;  // as with Gloo: the CPU itself works until the call
    else if (own.ready > std::numeric_limits<std::int64_t>::min())
      ready = std::clamp(common_time(scene_.report, member.rank, own.ready), from, member.arrival);
    const auto part = [&](GateBar::Kind kind, std::int64_t start, std::int64_t end, std::string_view tip) {
      if (end <= start) return;
      const analysis::StretchCost* const cost =
          longest_cost(digest, own, kind == GateBar::Kind::work && own.work != no_slice);
      std::string text = scene_.word(
          tip,
          {{"rank", row_.name}, {"kind", scene_.kind_word(own.kind)}, {"time", words::short_time_text(end - start)}});
      if (cost != nullptr && named_)
        text += "; " + scene_.word("tip_longest", {{"name", analysis::shortened(cost_name(digest, *cost), 60)},
                                                   {"time", words::short_time_text(cost->time)}});
      add_bar(coming, kind, start, end, 0, std::move(text),
              RankTarget{member.rank, cost == nullptr ? no_slice : cost->slice});
    };
    part(GateBar::Kind::work, from, ready, "tip_work");
    part(GateBar::Kind::idle, ready, member.arrival, "tip_idle");
  }

  void add_bar(const Coming& coming, GateBar::Kind kind, std::int64_t from, std::int64_t to, std::size_t lane,
               std::string tip, RankTarget target) {
    GateBar bar;
    bar.kind = kind;
    bar.from = from - scene_.report.begin;
    bar.to = to - scene_.report.begin;
    bar.lane = lane;
    bar.followed = coming.collective == scene_.chosen;
    bar.tip = std::move(tip);
    bar.target = target;
    row_.bars.push_back(std::move(bar));
  }

  const RanksScene& scene_;
  GateRow& row_;
  bool named_;
  bool begun_ = false;
  std::array<std::int64_t, 2> busy_ = {};  // the ends of the collectives in each lane
};

std::string gate_tip(const RanksScene& scene, const analysis::MatchedCollective& collective, bool named) {
  Narration::Values values = {{"kind", scene.kind_word(collective.kind)},
                              {"n", with_thousands(collective.sequence)},
                              {"group", scene.group_word(collective.group)},
                              {"at", time_text(static_cast<double>(collective.last_arrival - scene.report.begin))}};
  std::string text = scene.word("tip_gate", values);
  if (collective.bytes > 0) text += ", " + bytes_text(static_cast<double>(collective.bytes));
  if (!named) return text;
  if (collective.late == analysis::MatchedCollective::nobody) return text + ": " + scene.word("tip_nobody");
  return text + ": " +
         scene.word("tip_late", {{"rank", scene.rank_word(collective.members[collective.late].rank)},
                                 {"late", words::short_time_text(collective.late_by)}});
}

void add_gates(const RanksScene& scene, const GateWindow& window, double phase, bool named, GatesPicture& picture) {
  const double length = static_cast<double>(window.to - window.from);
  const double opening = length / 25;  // ns in which a gate opens while the time sweeps over it
  const double now = static_cast<double>(window.from) + phase * length;
  for (std::size_t i = window.first; i < window.last; ++i) {
    const analysis::MatchedCollective& collective = scene.report.collectives[i];
    if (!analysis::joins_all(collective.kind) || !analysis::is_shared(collective) ||
        collective.last_arrival > window.to)
      continue;
    Gate gate;
    gate.at = collective.last_arrival - scene.report.begin;
    gate.label = scene.kind_word(collective.kind);
    gate.tip = gate_tip(scene, collective, named);
    for (std::size_t row = 0; row < picture.rows.size(); ++row)
      if (std::ranges::find(collective.members, picture.rows[row].rank, &analysis::Member::rank) !=
          collective.members.end())
        gate.rows.push_back(row);
    if (gate.rows.empty()) continue;
    const double passed = (now - static_cast<double>(collective.last_arrival)) / opening;
    gate.open = phase >= 1 ? 1 : std::clamp(passed, 0.0, 1.0);
    gate.followed = i == scene.chosen;
    gate.number = static_cast<double>(i + 1);
    picture.gates.push_back(std::move(gate));
  }
}

void add_cause(const RanksScene& scene, GateRow& row) {
  const analysis::MatchedCollective& collective = scene.collective();
  row.place = scene.word("late_by", {{"late", words::short_time_text(collective.late_by)}});
  const analysis::LateCause* const cause = scene.cause();
  if (cause == nullptr) {
    row.cause = scene.word("no_cause");
    return;
  }
  row.cause = words::late_cause_text(scene.narration(), *cause);
  row.target = RankTarget{cause->rank, cause->slice};
}

}  // namespace

GateWindow gate_window(const analysis::RankReport& report, std::size_t collective) {
  const std::vector<analysis::MatchedCollective>& all = report.collectives;
  const analysis::MatchedCollective& middle = all[collective];
  const analysis::Member& last = last_member(middle);
  const std::int64_t begin = std::min(end_before(report, last), last.arrival);
  const std::int64_t reach = widest_window * std::max<std::int64_t>(last.end - begin, 1000);
  const auto belongs = [&](std::size_t i) {
    return all[i].step == middle.step && all[i].last_arrival > middle.last_arrival - reach &&
           all[i].last_arrival < middle.last_arrival + reach;
  };
  GateWindow window{begin, last.end, collective, collective + 1};
  while (window.first > 0 && collective - window.first < most_gates / 2 && belongs(window.first - 1)) --window.first;
  while (window.last < all.size() && window.last - collective < most_gates / 2 && belongs(window.last)) ++window.last;
  for (std::size_t i = window.first; i < window.last; ++i)
    for (const analysis::Member& member : all[i].members) {
      window.from = std::min(window.from, member.arrival);
      window.to = std::max(window.to, member.end);
    }
  window.from = std::max(window.from, middle.last_arrival - reach);
  const std::int64_t room = std::max<std::int64_t>((window.to - window.from) / 20, 1);
  window.to += room;
  window.from -= room;
  return window;
}

std::shared_ptr<const GatesPicture> gates_picture(const RanksScene& scene, double phase, bool named) {
  const analysis::RankReport& report = scene.report;
  const GateWindow window = gate_window(report, scene.chosen);
  auto picture = std::make_shared<GatesPicture>();
  picture->from = window.from - report.begin;
  picture->to = window.to - report.begin;
  picture->swept = phase;
  picture->control = fmt::format("{}.collective", RanksScene::name);
  const analysis::MatchedCollective& chosen = scene.collective();
  for (const std::size_t rank : scene.shown_ranks(most_shown_ranks)) {
    GateRow row;
    row.name = scene.rank_word(rank);
    row.rank = rank;
    row.late = named && chosen.late != analysis::MatchedCollective::nobody && chosen.members[chosen.late].rank == rank;
    if (row.late) add_cause(scene, row);
    std::vector<Coming> coming;
    for (std::size_t i = window.first; i < window.last; ++i)
      for (const analysis::Member& member : report.collectives[i].members)
        if (member.rank == rank) coming.push_back({&member, i});
    std::ranges::stable_sort(coming, {}, [](const Coming& one) { return one.member->arrival; });
    RowBars bars(scene, row, named);
    for (const Coming& one : coming) bars.add(one);
    picture->rows.push_back(std::move(row));
  }
  add_gates(scene, window, phase, named, *picture);
  for (const auto& [kind, key] : {std::pair{GateBar::Kind::work, "legend_work"},
                                  {GateBar::Kind::idle, "legend_idle"},
                                  {GateBar::Kind::waiting, "legend_waiting"},
                                  {GateBar::Kind::transfer, "legend_transfer"}})
    picture->legend.emplace_back(kind, scene.word(key));
  picture->note = scene.word("clock_note", {{"uncertainty", words::short_time_text(report.alignment.uncertainty)}});
  if (const std::string shown = scene.shown_note(picture->rows.size()); !shown.empty())
    picture->note = shown + " " + picture->note;
  return picture;
}

}  // namespace warpwalk::story
