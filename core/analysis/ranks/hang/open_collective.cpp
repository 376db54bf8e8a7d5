#include <algorithm>
#include <set>

#include "core/analysis/ranks/hang/mismatch.h"
#include "core/analysis/ranks/hang/open_calls.h"

namespace warpwalk::analysis {
namespace {

// The first number that is open on any rank.
std::optional<std::int64_t> first_open(const std::map<std::int64_t, RankCalls>& ranks) {
  std::optional<std::int64_t> first;
  for (const auto& [rank, calls] : ranks)
    for (const CallUnit& unit : calls.units)
      if (!unit.message && unit.open() && (!first || unit.sequence < *first)) first = unit.sequence;
  return first;
}

// A disagreement at this number, else the first one before it.
std::optional<Mismatch> first_mismatch(const GroupCalls& all, std::size_t group, std::optional<std::int64_t> until) {
  if (until)
    if (auto here = mismatch_at(all, group, *until)) return here;
  std::set<std::int64_t> numbers;
  for (const auto& [rank, calls] : all.calls[group])
    for (const auto& [number, unit] : calls.collectives) numbers.insert(number);
  for (const std::int64_t number : numbers) {
    if (until && number >= *until) break;
    if (auto found = mismatch_at(all, group, number)) return found;
  }
  return {};
}

// The rank's call of this number: the open one, if a damaged dump has several.
const CallUnit* call_at(const RankCalls& calls, std::int64_t sequence) {
  const auto is_open = [&](const CallUnit& unit) { return !unit.message && unit.open() && unit.sequence == sequence; };
  const auto open = std::ranges::find_if(calls.units, is_open);
  return open != calls.units.end() ? &*open : calls.collective(sequence);
}

std::string most_common_name(const std::vector<HangCall>& calls) {
  std::map<std::string, std::size_t> counts;
  for (const HangCall& call : calls) ++counts[call.name];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  return most == counts.end() ? std::string() : most->first;
}

}  // namespace

std::optional<Wait> open_collective(const GroupCalls& all, std::size_t group) {
  const auto& ranks = all.calls[group];
  const std::optional<std::int64_t> open = first_open(ranks);
  Wait wait;
  wait.group = group;
  wait.mismatch = first_mismatch(all, group, open);
  if (!open && !wait.mismatch) return {};
  wait.sequence = open ? *open : wait.mismatch->sequence;
  std::set<std::int64_t> later;
  for (const auto& [rank, calls] : ranks) {
    if (const CallUnit* const unit = call_at(calls, wait.sequence)) {
      (unit->open() ? wait.waiting : wait.complete).push_back(rank);
      wait.calls.push_back(all.described(group, calls, *unit));
    } else {
      switch (all.called(group, calls, wait.sequence)) {
        case Called::yes: wait.complete.push_back(rank); break;
        case Called::no: wait.missing.push_back(rank); break;
        case Called::unsure: wait.unsure.push_back(rank); break;
      }
    }
    for (const CallUnit& unit : calls.units)
      if (!unit.message && unit.open() && unit.sequence > wait.sequence) later.insert(unit.sequence);
  }
  wait.behind = later.size();
  wait.collective = most_common_name(wait.calls);
  for (const std::int64_t rank : all.groups[group].ranks)
    if (!all.dump_of.contains(rank)) wait.unknown.push_back(rank);
  std::ranges::sort(wait.unknown);
  return wait;
}

}  // namespace warpwalk::analysis
