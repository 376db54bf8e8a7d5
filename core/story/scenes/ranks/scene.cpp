// Settings and words of the scene.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_report.h"
#include "core/story/scenes/ranks/ranks.h"
#include "core/words/rank_text.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t most_stops = 1000;  // of the slider

// The most expensive collective; without one, that in the middle of those that several ranks recorded.
std::size_t usual_collective(const analysis::RankReport& report) {
  if (!report.causes.empty() && report.causes.front().collective < report.collectives.size())
    return report.causes.front().collective;
  std::size_t left = analysis::shared_collectives(report) / 2;
  for (std::size_t i = 0; i < report.collectives.size(); ++i)
    if (analysis::is_shared(report.collectives[i]) && left-- == 0) return i;
  return 0;
}

}  // namespace

RanksScene::RanksScene(const SceneInput& in) : input(in), report(*in.ranks) {
  const auto count = std::ssize(report.collectives);
  const std::int64_t by = std::max<std::int64_t>(1, count / most_stops);
  const auto usual = static_cast<std::int64_t>(usual_collective(report)) + 1;
  const std::int64_t number =
      controls.slider("collective", steps_by(1, static_cast<double>(count), static_cast<double>(by)), usual,
                      healthy() ? "middle" : "dearest");
  chosen = static_cast<std::size_t>(std::clamp<std::int64_t>(number, 1, count)) - 1;
  sort = controls.choice(
      "sort", {word("by_step"), word("by_waiting"), word("by_transfer"), word("by_bandwidth"), word("by_bytes")}, 0,
      "usual");
}

std::string RanksScene::word(std::string_view key, const Narration::Values& values) const {
  return narration().text("ranks.word", key, values);
}

std::string RanksScene::formula(std::string_view key) const { return narration().text("ranks.formula", key); }

TableCell RanksScene::derived(std::string text, std::string_view key) const {
  return figure_cell(Figure::derived(std::move(text), formula(key)));
}

TableCell RanksScene::count(std::size_t n, std::string_view key) const {
  return figure_cell(Figure::derived(static_cast<double>(n), Unit::count, formula(key)));
}

std::string RanksScene::rank_word(std::size_t rank) const {
  return word("rank", {{"n", fmt::to_string(report.ranks[rank].identity.rank)}});
}

std::string RanksScene::kind_word(analysis::CollectiveKind kind) const {
  return narration().text("ranks.kind", name_of(kind));
}

std::string RanksScene::group_word(std::size_t group) const {
  const analysis::ProcessGroup& one = report.groups[group];
  const std::string& name = one.description.empty() ? one.name : one.description;
  return word("group", {{"name", name}, {"ranks", fmt::to_string(one.ranks.size())}});
}

const analysis::LateCause* RanksScene::cause() const {
  if (collective().late == analysis::MatchedCollective::nobody) return nullptr;
  const std::size_t rank = collective().members[collective().late].rank;
  const auto here = std::ranges::find_if(
      report.causes, [&](const analysis::LateCause& one) { return one.rank == rank && one.collective == chosen; });
  return here == report.causes.end() ? cause_of(rank) : &*here;
}

const analysis::LateCause* RanksScene::cause_of(std::size_t rank) const {
  const auto found = std::ranges::find(report.causes, rank, &analysis::LateCause::rank);
  return found == report.causes.end() ? nullptr : &*found;
}

std::vector<std::size_t> RanksScene::shown_ranks(std::size_t most) const {
  const std::size_t all = report.ranks.size();
  std::vector<std::size_t> shown;
  const auto show = [&](std::size_t rank) {
    if (shown.size() < most && rank < all && std::ranges::find(shown, rank) == shown.end()) shown.push_back(rank);
  };
  if (all > most) {
    for (const analysis::LateCause& one : report.causes)
      if (shown.size() * 4 < most * 3) show(one.rank);
    if (collective().late != analysis::MatchedCollective::nobody) show(collective().members[collective().late].rank);
    show(input.rank);
    for (std::size_t i = 0; i < most; ++i) show(i * (all - 1) / (most - 1));
  }
  for (std::size_t rank = 0; rank < all; ++rank) show(rank);
  std::ranges::sort(shown);
  return shown;
}

std::string RanksScene::shown_note(std::size_t shown) const {
  if (shown >= report.ranks.size()) return {};
  return word("ranks_shown", {{"n", fmt::to_string(shown)}, {"all", fmt::to_string(report.ranks.size())}});
}

const analysis::Member& last_member(const analysis::MatchedCollective& collective) {
  if (collective.late != analysis::MatchedCollective::nobody) return collective.members[collective.late];
  return *std::ranges::max_element(collective.members, {}, &analysis::Member::arrival);
}

const analysis::RankCollective& own_part(const analysis::RankReport& report, const analysis::Member& member) {
  return report.ranks[member.rank].collectives[member.collective];
}

RankTarget target_of(const analysis::RankReport& report, const analysis::Member& member) {
  const analysis::RankCollective& own = own_part(report, member);
  return {member.rank, own.work == no_slice ? own.op : own.work};
}

std::int64_t common_time(const analysis::RankReport& report, std::size_t rank, std::int64_t local) {
  return rank < report.alignment.clocks.size() ? report.alignment.clocks[rank].common(local) : local;
}

}  // namespace warpwalk::story
