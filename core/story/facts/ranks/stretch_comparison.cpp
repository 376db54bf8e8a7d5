#include "core/story/facts/ranks/stretch_comparison.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace warpwalk::story {
namespace {

constexpr std::size_t most_peers = 8;  // that a stretch is compared with

// Time, count and blocks of a cost.
using CostAmounts = std::array<std::int64_t, 3>;

template <typename Amounts>
Amounts middle_of(std::span<Amounts> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// The others of a collective, at equal distances if there are many.
std::vector<const Member*> peers_in(const MatchedCollective& one, std::size_t rank) {
  const std::size_t others = one.members.size() - 1, every = (others + most_peers - 1) / most_peers;
  std::vector<const Member*> peers;
  std::size_t place = 0;
  for (const Member& member : one.members)
    if (member.rank != rank && place++ % every == 0) peers.push_back(&member);
  return peers;
}

const Member& member_of(const MatchedCollective& one, std::size_t rank) {
  return *std::ranges::lower_bound(one.members, rank, {}, &Member::rank);
}

}  // namespace

// The costs of one key in a stretch.
struct StretchComparison::Sum {
  CostKey key;
  CostAmounts own{};
  std::int64_t on_path = 0;
  SliceId slice = no_slice;
  std::uint32_t line = 0;
  std::array<CostAmounts, most_peers> others{};
};

std::int64_t CostExcess::counts() const { return std::max<std::int64_t>(0, std::min(excess, on_path)); }

StretchComparison::StretchComparison(const RankReport& report) : report_(report) {
  std::unordered_map<std::string, std::uint32_t> known;
  for (const RankDigest& digest : report.ranks) {
    std::vector<std::uint32_t>& numbers = numbers_.emplace_back();
    for (const std::string& name : digest.names) {
      const auto [at, fresh] = known.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
      if (fresh) names_.push_back(name);
      numbers.push_back(at->second);
    }
  }
}

const RankCollective& StretchComparison::collective(const Member& member) const {
  return report_.ranks[member.rank].collectives[member.collective];
}

CostKey StretchComparison::key_of(std::size_t rank, const StretchCost& cost) const {
  return {cost.kind, numbers_[rank][cost.name], is_named_by_call(cost.kind) ? numbers_[rank][cost.line] : 0};
}

// By key. Costs come with the longest first, so that the slice is that of the longest.
std::vector<StretchComparison::Sum> StretchComparison::sums_of(const Member& own) const {
  const RankCollective& one = collective(own);
  std::vector<Sum> sums;
  sums.reserve(one.costs);
  for (const StretchCost& cost : std::span(report_.ranks[own.rank].costs).subspan(one.first_cost, one.costs))
    sums.push_back({key_of(own.rank, cost), {cost.time, cost.count, cost.blocks}, cost.on_path, cost.slice, cost.line});
  std::ranges::stable_sort(sums, {}, &Sum::key);
  std::size_t kept = 0;
  for (const Sum& sum : sums) {
    if (kept == 0 || sums[kept - 1].key != sum.key) {
      sums[kept++] = sum;
      continue;
    }
    for (std::size_t i = 0; i < sum.own.size(); ++i) sums[kept - 1].own[i] += sum.own[i];
    sums[kept - 1].on_path += sum.on_path;
  }
  sums.resize(kept);
  return sums;
}

void StretchComparison::add_others(const std::vector<const Member*>& others, std::vector<Sum>& sums) const {
  for (std::size_t i = 0; i < others.size(); ++i) {
    const RankCollective& one = collective(*others[i]);
    const std::size_t rank = others[i]->rank;
    for (const StretchCost& cost : std::span(report_.ranks[rank].costs).subspan(one.first_cost, one.costs)) {
      const CostKey key = key_of(rank, cost);
      const auto sum = std::ranges::lower_bound(sums, key, {}, &Sum::key);
      if (sum == sums.end() || sum->key != key) continue;
      sum->others[i][0] += cost.time;
      sum->others[i][1] += cost.count;
      sum->others[i][2] += cost.blocks;
    }
  }
}

std::vector<CostExcess> StretchComparison::excesses(std::size_t rank, const std::vector<RankStretch>& stretches) const {
  std::map<CostKey, CostExcess> all;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const MatchedCollective& one = report_.collectives[stretches[i].matched];
    const std::vector<const Member*> peers = peers_in(one, rank);
    std::vector<Sum> sums = sums_of(member_of(one, rank));
    add_others(peers, sums);
    for (Sum& sum : sums) {
      const CostAmounts others = middle_of(std::span(sum.others).first(peers.size()));
      CostExcess& cost = all[sum.key];
      cost.key = sum.key;
      const StretchExcess part{.stretch = i,
                               .time = sum.own[0] - others[0],
                               .own = sum.own[0],
                               .on_path = sum.on_path,
                               .count = sum.own[1] - others[1],
                               .blocks = sum.own[2] - others[2],
                               .slice = sum.slice,
                               .line = sum.line};
      cost.excess += part.time;
      cost.own += part.own;
      cost.on_path += part.on_path;
      cost.count += part.count;
      cost.blocks += part.blocks;
      cost.parts.push_back(part);
    }
  }
  std::vector<CostExcess> list;
  for (auto& [key, cost] : all) list.push_back(std::move(cost));
  std::ranges::stable_sort(list, std::ranges::greater{}, &CostExcess::excess);
  return list;
}

CostExcess StretchComparison::all_work(std::size_t rank, const std::vector<RankStretch>& stretches,
                                       const std::vector<CostExcess>& excesses) const {
  std::map<std::size_t, StretchExcess> by_stretch;  // `time` is that of the kernel with the largest excess
  for (const CostExcess& one : excesses) {
    if (one.key.kind != CostKind::kernel) continue;
    for (const StretchExcess& part : one.parts) {
      const auto [at, fresh] = by_stretch.try_emplace(part.stretch, part);
      if (fresh) continue;
      const std::int64_t on_path = at->second.on_path + part.on_path;
      if (part.time > at->second.time) at->second = part;
      at->second.on_path = on_path;
    }
  }
  CostExcess all;
  all.key.kind = CostKind::kernel;
  for (auto& [stretch, part] : by_stretch) {
    const MatchedCollective& one = report_.collectives[stretches[stretch].matched];
    std::vector<std::array<std::int64_t, 2>> theirs;
    for (const Member& member : one.members)
      if (member.rank != rank) theirs.push_back({collective(member).work_time, collective(member).work_count});
    const auto [time, count] = middle_of(std::span(theirs));
    const RankCollective& own = collective(member_of(one, rank));
    part.time = own.work_time - time;
    part.own = own.work_time;
    part.count = own.work_count - count;
    all.excess += part.time;
    all.own += part.own;
    all.on_path += part.on_path;
    all.count += part.count;
    all.blocks += own.work_count;
    all.parts.push_back(part);
  }
  return all;
}

}  // namespace warpwalk::story
