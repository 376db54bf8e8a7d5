#include "core/analysis/ranks/hang/hang_report.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/analysis/ranks/hang/open_calls.h"
#include "core/analysis/ranks/hang/rank_calls.h"

namespace warpwalk::analysis {
namespace {

using trace::flight::State;

/// Where a rank is: the first call that is open, else its last one.
struct WhereRankIs {
  std::size_t group = 0;
  const RankCalls* calls = nullptr;
  const CallUnit* unit = nullptr;
};

std::optional<WhereRankIs> where_is(const GroupCalls& all, std::int64_t rank) {
  std::optional<WhereRankIs> found;
  for (const bool open : {true, false}) {
    std::size_t chosen = 0;
    for (std::size_t group = 0; group < all.groups.size(); ++group) {
      const auto calls = all.calls[group].find(rank);
      if (calls == all.calls[group].end()) continue;
      for (const CallUnit& unit : calls->second.units) {
        const std::size_t at = calls->second.of[unit.first];
        if ((open && !unit.open()) || (found && (open ? at >= chosen : at <= chosen))) continue;
        chosen = at;
        found = WhereRankIs{group, &calls->second, &unit};
      }
    }
    if (found) return found;
  }
  return {};
}

// Whether the open call of a rank is this wait. A later collective of the group stands behind the one that is open.
bool waits_in(const Wait& wait, const WhereRankIs& where, std::int64_t rank) {
  if (wait.group != where.group || wait.message != where.unit->message) return false;
  if (!wait.message) return wait.sequence <= where.unit->sequence;
  return std::ranges::find(wait.waiting, rank) != wait.waiting.end();
}

void link_waits(const GroupCalls& all, std::vector<Wait>& waits) {
  for (Wait& wait : waits)
    for (const std::int64_t rank : wait.missing) {
      const auto where = where_is(all, rank);
      wait.instead.push_back(where ? std::optional(all.described(where->group, *where->calls, *where->unit))
                                   : std::nullopt);
      if (!where || !where->unit->open()) continue;
      for (std::size_t other = 0; other < waits.size(); ++other)
        if (&waits[other] != &wait && waits_in(waits[other], *where, rank)) {
          wait.because_of.push_back(other);
          break;
        }
    }
  for (std::size_t start = 0; start < waits.size(); ++start) {
    std::set<std::size_t> seen;
    std::vector<std::size_t> next = waits[start].because_of;
    while (!next.empty() && !waits[start].circle) {
      const std::size_t at = next.back();
      next.pop_back();
      if (at == start) waits[start].circle = true;
      if (!seen.insert(at).second) continue;
      next.insert(next.end(), waits[at].because_of.begin(), waits[at].because_of.end());
    }
  }
}

// What explains more comes first: a wait that does not follow from another one, a known reason, an earlier call.
auto importance(const Wait& wait) {
  const bool follows = !wait.because_of.empty() && !wait.circle;
  const bool known = wait.mismatch || !wait.missing.empty() || wait.stopped();
  const std::int64_t since = wait.since() == 0 ? std::numeric_limits<std::int64_t>::max() : wait.since();
  return std::tuple(wait.waiting.empty(), follows, !known, since);
}

void sort_waits(std::vector<Wait>& waits) {
  std::vector<std::size_t> order(waits.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return importance(waits[i]); });
  std::vector<std::size_t> place(waits.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<Wait> sorted;
  for (const std::size_t i : order) {
    sorted.push_back(std::move(waits[i]));
    for (std::size_t& other : sorted.back().because_of) other = place[other];
    std::ranges::sort(sorted.back().because_of);
    const auto [first, last] = std::ranges::unique(sorted.back().because_of);
    sorted.back().because_of.erase(first, last);
  }
  waits = std::move(sorted);
}

// Those that have not called something and wait for nobody themselves, and those whose GPU stopped.
std::vector<std::int64_t> suspects_of(const std::vector<Wait>& waits) {
  std::set<std::int64_t> suspects;
  for (const Wait& wait : waits) {
    if (wait.stopped()) suspects.insert(wait.waiting.begin(), wait.waiting.end());
    for (std::size_t i = 0; i < wait.missing.size(); ++i)
      if (!wait.instead[i] || wait.instead[i]->state == State::completed) suspects.insert(wait.missing[i]);
  }
  return {suspects.begin(), suspects.end()};
}

}  // namespace

State Wait::state() const {
  if (waiting.empty()) return State::completed;
  const bool started = std::ranges::any_of(calls, [](const HangCall& call) { return call.state == State::started; });
  return started ? State::started : State::scheduled;
}

bool Wait::stopped() const {
  constexpr std::string_view needing_all[] = {
      "all_reduce",           "all_reduce_barrier", "barrier",
      "all_gather",           "_all_gather_base",   "all_gather_into_tensor_coalesced",
      "reduce_scatter",       "all_to_all",         "reduce_scatter_tensor_coalesced",
      "_reduce_scatter_base", "allreduce_coalesced"};
  if (message || complete.empty() || waiting.empty() || !missing.empty()) return false;
  return std::ranges::find(needing_all, collective) != std::end(needing_all);
}

std::int64_t Wait::since() const {
  std::int64_t first = 0;
  for (const HangCall& call : calls)
    if (call.state != State::completed && call.created > 0 && (first == 0 || call.created < first))
      first = call.created;
  return first;
}

HangReport hang_report(const trace::flight::Dumps& dumps, const std::vector<std::int64_t>& ranks) {
  const GroupCalls all(dumps, ranks);
  HangReport report;
  report.groups = all.groups;
  for (const auto& [rank, dump] : all.dump_of) {
    const std::vector<trace::flight::Call>& calls = dumps.dumps[dump].calls;
    report.ranks.push_back(rank);
    report.calls.push_back(calls.size());
    report.dropped.push_back(calls.empty() ? 0 : std::max<std::int64_t>(0, calls.front().record));
  }
  std::set<std::int64_t> no_dump;
  for (std::size_t group = 0; group < all.groups.size(); ++group) {
    for (const std::int64_t rank : all.groups[group].ranks)
      if (!all.dump_of.contains(rank)) no_dump.insert(rank);
    if (auto wait = open_collective(all, group)) report.waits.push_back(*std::move(wait));
    std::ranges::move(open_messages(all, group), std::back_inserter(report.waits));
  }
  report.no_dump.assign(no_dump.begin(), no_dump.end());
  link_waits(all, report.waits);
  sort_waits(report.waits);
  report.suspects = suspects_of(report.waits);
  if (report.waits.empty())
    for (const std::int64_t rank : report.ranks) {
      const auto where = where_is(all, rank);
      if (!where || where->unit->state != State::completed) continue;
      HangCall call = all.described(where->group, *where->calls, *where->unit);
      if (!report.last || call.created > report.last->created) report.last = std::move(call);
    }
  for (const trace::flight::Dump& dump : dumps.dumps)
    if (!dump.problem.empty()) report.problems.push_back(dump.problem);
  return report;
}

}  // namespace warpwalk::analysis
