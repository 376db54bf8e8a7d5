#include "core/analysis/ranks/stretch_comparison.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace warpwalk::analysis {
namespace {

constexpr std::size_t most_peers = 8;  // that a stretch is compared with

template <typename Amounts>
Amounts middle_of(std::span<Amounts> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// The upper quartile of times, which are the first of the amounts.
template <typename Amounts>
std::int64_t high_of(std::span<Amounts> values) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>((3 * (values.size() - 1) + 3) / 4);
  std::ranges::nth_element(values, place);
  return (*place)[0];
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

void CostExcess::add(const StretchExcess& part) {
  parts.push_back(part);
  excess += part.time;
  own += part.own;
  high += part.high;
  on_path += part.on_path;
  count += part.count;
  blocks += part.blocks;
}

bool CostExcess::is_once() const {
  constexpr double nearly_all = 0.9;
  std::int64_t largest = 0;
  for (const StretchExcess& part : parts) largest = std::max(largest, part.time);
  return static_cast<double>(largest) >= nearly_all * static_cast<double>(excess);
}

StretchComparison::StretchComparison(const RankReport& report) : report_(report), hosts_(hosts_of(report.ranks)) {
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

// At equal distances if there are many. Where enough ranks are on other machines, those: all ranks of one machine may
// be late together.
std::vector<const Member*> StretchComparison::peers_in(const MatchedCollective& one, std::size_t rank) const {
  std::vector<const Member*> others, elsewhere;
  others.reserve(one.members.size());
  for (const Member& member : one.members) {
    if (member.rank == rank) continue;
    others.push_back(&member);
    if (hosts_.known() && hosts_.of[member.rank] != hosts_.of[rank]) elsewhere.push_back(&member);
  }
  const std::vector<const Member*>& all = elsewhere.size() >= most_peers ? elsewhere : others;
  const std::size_t every = (all.size() + most_peers - 1) / most_peers;
  std::vector<const Member*> peers;
  for (std::size_t i = 0; i < all.size(); i += every) peers.push_back(all[i]);
  return peers;
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

const StretchComparison::CostsOfStep& StretchComparison::costs_of_step(std::size_t rank, std::int64_t step) const {
  const auto [found, fresh] = of_steps_.try_emplace(rank);
  if (fresh)
    for (const RankCollective& one : report_.ranks[rank].collectives)
      for (const StretchCost& cost : std::span(report_.ranks[rank].costs).subspan(one.first_cost, one.costs)) {
        CostAmounts& sum = found->second[one.step][key_of(rank, cost)];
        sum[0] += cost.time;
        sum[1] += cost.count;
        sum[2] += cost.blocks;
      }
  return found->second[step];
}

// What the others have of the cost in the step is taken off the smallest stretches first, so that one that sleeps keeps
// its whole length. What a rank does in more than a quarter of its `stretches` of the step is its stage of a pipeline.
void StretchComparison::take_off_others(std::size_t rank, std::int64_t step, const CostKey& key, std::size_t stretches,
                                        std::span<StretchExcess> parts) const {
  const std::size_t others = report_.ranks.size() - 1, every = (others + most_peers - 1) / most_peers;
  std::vector<CostAmounts> theirs;
  std::size_t place = 0;
  for (std::size_t other = 0; other < report_.ranks.size(); ++other) {
    if (other == rank || place++ % every != 0) continue;
    const CostsOfStep& costs = costs_of_step(other, step);
    const auto found = costs.find(key);
    theirs.push_back(found == costs.end() ? CostAmounts{} : found->second);
  }
  std::int64_t high = high_of(std::span(theirs));
  CostAmounts rest = middle_of(std::span(theirs));
  std::ranges::sort(parts, {}, &StretchExcess::own);
  const std::int64_t largest = parts.back().own;
  const auto large = static_cast<std::size_t>(
      std::ranges::count_if(parts, [&](const StretchExcess& part) { return 2 * part.own >= largest; }));
  constexpr std::size_t most_times = 3, most_share = 4;
  const bool is_stage = large > most_times && most_share * large > stretches;
  const auto take = [](std::int64_t& part, std::int64_t& from) {
    const std::int64_t taken = std::min(part, from);
    part -= taken;
    from -= taken;
    return taken;
  };
  for (StretchExcess& part : parts) {
    std::int64_t own = part.own;
    part.high = take(own, high);
    if (is_stage) part.time = part.count = part.blocks = 0;
    take(part.time, rest[0]);
    take(part.count, rest[1]);
    take(part.blocks, rest[2]);
  }
}

std::vector<CostExcess> StretchComparison::excesses(std::size_t rank, const std::vector<RankStretch>& stretches) const {
  std::map<CostKey, std::vector<StretchExcess>> all;
  std::map<std::pair<CostKey, std::int64_t>, std::vector<StretchExcess>> of_messages;  // by cost and step
  std::map<std::int64_t, std::size_t> messages;                                        // by step
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const MatchedCollective& one = report_.collectives[stretches[i].matched];
    const std::vector<const Member*> peers = peers_in(one, rank);
    const Member& member = member_of(one, rank);
    if (one.kind == CollectiveKind::send) ++messages[collective(member).step];
    std::vector<Sum> sums = sums_of(member);
    if (one.kind != CollectiveKind::send) add_others(peers, sums);
    for (Sum& sum : sums) {
      const auto theirs = std::span(sum.others).first(peers.size());
      const std::int64_t high = high_of(theirs);
      const CostAmounts others = middle_of(theirs);
      const StretchExcess part{.stretch = i,
                               .time = sum.own[0] - others[0],
                               .own = sum.own[0],
                               .high = high,
                               .on_path = sum.on_path,
                               .count = sum.own[1] - others[1],
                               .blocks = sum.own[2] - others[2],
                               .slice = sum.slice,
                               .line = sum.line};
      if (one.kind == CollectiveKind::send)
        of_messages[{sum.key, collective(member).step}].push_back(part);
      else
        all[sum.key].push_back(part);
    }
  }
  for (auto& [place, parts] : of_messages) {
    take_off_others(rank, place.second, place.first, messages[place.second], parts);
    std::vector<StretchExcess>& into = all[place.first];
    into.insert(into.end(), parts.begin(), parts.end());
  }
  std::vector<CostExcess> list;
  for (auto& [key, parts] : all) {
    std::ranges::sort(parts, {}, &StretchExcess::stretch);
    CostExcess& sum = list.emplace_back();
    sum.key = key;
    for (const StretchExcess& part : parts) sum.add(part);
  }
  std::ranges::stable_sort(list, std::ranges::greater{}, &CostExcess::excess);
  return list;
}

std::optional<BusyTimes> StretchComparison::busy_times(std::size_t rank,
                                                       const std::vector<RankStretch>& stretches) const {
  BusyTimes sum;
  for (const RankStretch& stretch : stretches) {
    const MatchedCollective& one = report_.collectives[stretch.matched];
    const std::int64_t own = busy_before(member_of(one, rank));
    if (own == 0 || one.kind == CollectiveKind::send) continue;
    std::vector<std::int64_t> theirs;
    for (const Member* const peer : peers_in(one, rank)) theirs.push_back(busy_before(*peer));
    sum.own += own;
    sum.others += middle_of(std::span(theirs));
  }
  if (sum.own == 0 || sum.others == 0) return {};
  return sum;
}

// The first stretch of a trace begins where the recording does.
std::int64_t StretchComparison::busy_before(const Member& member) const {
  if (member.collective == 0) return 0;
  const RankDigest& digest = report_.ranks[member.rank];
  const RankCollective& one = digest.collectives[member.collective];
  std::int64_t busy = one.call - digest.collectives[member.collective - 1].call;
  for (const StretchCost& cost : std::span(digest.costs).subspan(one.first_cost, one.costs))
    if (cost.kind == CostKind::wait) busy -= cost.time;
  return std::max<std::int64_t>(0, busy);
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
    if (one.kind == CollectiveKind::send) continue;  // its two ranks do different work
    std::vector<std::array<std::int64_t, 2>> theirs;
    for (const Member& member : one.members)
      if (member.rank != rank) theirs.push_back({collective(member).work_time, collective(member).work_count});
    part.high = high_of(std::span(theirs));
    const auto [time, count] = middle_of(std::span(theirs));
    const RankCollective& own = collective(member_of(one, rank));
    part.time = own.work_time - time;
    part.own = own.work_time;
    part.count = own.work_count - count;
    part.blocks = own.work_count;
    all.add(part);
  }
  return all;
}

}  // namespace warpwalk::analysis
