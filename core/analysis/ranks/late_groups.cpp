// Puts ranks together that are late by the same cause, and finds what these ranks have in common.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/analysis/ranks/rank_hosts.h"
#include "core/analysis/ranks/rank_report.h"

namespace warpwalk::analysis {
namespace {

// A set of ranks that can be named.
struct NamedRanks {
  LatePlace place = LatePlace::none;
  std::string name;
  std::vector<std::size_t> ranks;  // indexes, ascending
};

// Hosts and process groups with some of the ranks, the smallest first.
std::vector<NamedRanks> named_ranks(const RankReport& report, const RankHosts& hosts) {
  std::vector<NamedRanks> sets;
  for (std::size_t host = 0; host < hosts.names.size(); ++host)
    sets.push_back({LatePlace::host, hosts.names[host], hosts.ranks_of(host)});
  std::map<std::int64_t, std::size_t> index_of;
  for (std::size_t rank = 0; rank < report.ranks.size(); ++rank)
    index_of.emplace(report.ranks[rank].identity.rank, rank);
  for (const ProcessGroup& group : report.groups) {
    NamedRanks set{LatePlace::process_group, group.description.empty() ? group.name : group.description, {}};
    if (set.name != group.name && !group.name.empty()) set.name += " " + group.name;
    for (const std::int64_t number : group.ranks)
      if (const auto at = index_of.find(number); at != index_of.end()) set.ranks.push_back(at->second);
    if (set.ranks.size() < report.ranks.size()) sets.push_back(std::move(set));
  }
  std::ranges::stable_sort(sets, {}, [](const NamedRanks& set) { return set.ranks.size(); });
  return sets;
}

// The smallest host or group with all of the ranks, if at least half of it is late.
void place_group(LateGroup& group, const std::vector<NamedRanks>& sets) {
  if (group.ranks.size() < 2) return;
  const auto holds = [&](const NamedRanks& set) { return std::ranges::includes(set.ranks, group.ranks); };
  const auto set = std::ranges::find_if(sets, holds);
  if (set == sets.end() || set->ranks.size() > 2 * group.ranks.size()) return;
  group.place = set->place;
  group.name = set->name;
  group.size = set->ranks.size();
}

// Takes the ranks of one host out of a group of ranks that are late by the same cause, if all of the host are. Returns
// an empty group if there is no such host, or if the group has no others.
LateGroup split_host(const RankReport& report, const std::vector<NamedRanks>& sets, LateGroup& group) {
  LateGroup whole;
  const auto set = std::ranges::find_if(sets, [&](const NamedRanks& one) {
    return one.place == LatePlace::host && one.ranks.size() > 1 && one.ranks.size() < group.ranks.size() &&
           std::ranges::includes(group.ranks, one.ranks);
  });
  if (set == sets.end()) return whole;
  const auto is_there = [&](std::size_t rank) { return std::ranges::binary_search(set->ranks, rank); };
  whole.ranks = set->ranks;
  for (const std::size_t cause : group.causes)
    if (is_there(report.causes[cause].rank)) whole.causes.push_back(cause);
  std::erase_if(group.causes, [&](std::size_t cause) { return is_there(report.causes[cause].rank); });
  std::erase_if(group.ranks, is_there);
  return whole;
}

std::int64_t cost_of(const LateCause& cause) { return cause.late * static_cast<std::int64_t>(cause.times); }

}  // namespace

void group_late_ranks(RankReport& report) {
  report.late_groups.clear();
  if (report.causes.empty()) return;
  const RankHosts hosts = hosts_of(report.ranks);
  // Without a cause, only ranks of one host belong together.
  using CauseKey = std::tuple<LateKind, std::string, std::string, std::string, std::int64_t, std::size_t>;
  std::map<CauseKey, std::size_t> known;
  for (std::size_t i = 0; i < report.causes.size(); ++i) {
    const LateCause& cause = report.causes[i];
    const bool unknown = cause.kind == LateKind::unknown;
    const std::size_t apart = !unknown ? 0 : hosts.known() ? hosts.of[cause.rank] : cause.rank;
    const auto [at, fresh] = known.try_emplace(
        CauseKey{cause.kind, cause.name, cause.function, cause.file, cause.line, apart}, report.late_groups.size());
    if (fresh) report.late_groups.emplace_back();
    LateGroup& group = report.late_groups[at->second];
    if (std::ranges::find(group.ranks, cause.rank) != group.ranks.end()) continue;  // the same line at another place
    group.causes.push_back(i);
    group.ranks.push_back(cause.rank);
  }
  const std::vector<NamedRanks> sets = named_ranks(report, hosts);
  for (LateGroup& group : report.late_groups) std::ranges::sort(group.ranks);
  for (std::size_t i = 0; i < report.late_groups.size(); ++i)
    for (;;) {
      LateGroup whole = split_host(report, sets, report.late_groups[i]);
      if (whole.ranks.empty()) break;
      report.late_groups.push_back(std::move(whole));
    }
  for (LateGroup& group : report.late_groups) place_group(group, sets);
  std::ranges::stable_sort(report.late_groups, std::ranges::greater{}, [&](const LateGroup& group) {
    const LateCause& first = report.causes[group.causes.front()];
    return std::pair{first.kind != LateKind::unknown, cost_of(first)};
  });
}

}  // namespace warpwalk::analysis
