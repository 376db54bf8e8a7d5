#include "tests/traces/made_ranks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

namespace warpwalk::analysis {
namespace {

constexpr std::int64_t run_begin = 1'790'857'026'000'000'000;  // ns since 1970

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
class MadeNumbers {
 public:
  explicit MadeNumbers(std::uint64_t seed) : state_(seed) {}
  double uniform() {  // [0, 1)
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  std::uint64_t state_;
};

class RunMaker {
 public:
  explicit RunMaker(const MadeRun& run) : run_(run), numbers_(run.seed), now_(size(), 0) {}

  MadeRanks make() {
    made_.begin = run_begin;
    for (std::size_t rank = 0; rank < size(); ++rank) add_rank(rank);
    for (std::size_t step = 0; step < run_.steps; ++step) make_step(static_cast<std::int64_t>(step));
    made_.end = run_begin + *std::ranges::max_element(now_);
    for (std::size_t rank = 0; rank < size(); ++rank) {
      made_.digests[rank].begin = made_.local(rank, made_.begin);
      made_.digests[rank].end = made_.local(rank, made_.end);
    }
    return std::move(made_);
  }

 private:
  std::size_t size() const { return run_.tensor * run_.data * run_.pipeline; }
  std::size_t rank_at(std::size_t stage, std::size_t replica, std::size_t shard) const {
    return (stage * run_.data + replica) * run_.tensor + shard;
  }

  void add_rank(std::size_t rank) {
    RankDigest& digest = made_.digests.emplace_back();
    digest.file = fmt::format("rank{}.json", rank);
    digest.identity.rank = static_cast<std::int64_t>(rank);
    digest.identity.world = static_cast<std::int64_t>(size());
    digest.names = {""};
    const bool first = rank == 0;
    made_.offsets.push_back(first ? 0 : (2 * numbers_.uniform() - 1) * run_.most_offset);
    made_.drifts.push_back(first ? 0 : (2 * numbers_.uniform() - 1) * run_.most_drift);
  }

  // Each stage works forward after the one before it, then backward; then replicas add their gradients.
  void make_step(std::int64_t step) {
    step_ = step;
    for (std::size_t rank = 0; rank < size(); ++rank) now_[rank] += compute(2'000'000);
    if (run_.late_rank < size()) now_[run_.late_rank] += run_.late_by;
    for (std::size_t stage = 0; stage < run_.pipeline; ++stage) make_stage(stage, stage + 1);
    for (std::size_t stage = run_.pipeline; stage-- > 0;) make_stage(stage, stage - 1);
    if (run_.data < 2) return;
    for (std::size_t i = 0; i < run_.per_step; ++i)
      for (std::size_t stage = 0; stage < run_.pipeline; ++stage)
        for (std::size_t shard = 0; shard < run_.tensor; ++shard) {
          std::vector<std::size_t> ranks;
          for (std::size_t replica = 0; replica < run_.data; ++replica) ranks.push_back(rank_at(stage, replica, shard));
          const bool all = ranks.size() == size();
          const CollectiveKind kind =
              i % 3 == 2 && !run_.equal_sizes ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce;
          collective(all ? "0" : fmt::format("dp_{}", stage * run_.tensor + shard), ranks, kind, i);
        }
  }

  void make_stage(std::size_t stage, std::size_t next) {
    for (std::size_t replica = 0; replica < run_.data; ++replica) {
      std::vector<std::size_t> ranks;
      for (std::size_t shard = 0; shard < run_.tensor; ++shard) ranks.push_back(rank_at(stage, replica, shard));
      for (std::size_t i = 0; run_.tensor > 1 && i < run_.per_step; ++i)
        collective(ranks.size() == size() ? "0" : fmt::format("tp_{}", stage * run_.data + replica), ranks,
                   CollectiveKind::all_reduce, i);
      if (next >= run_.pipeline) continue;
      for (std::size_t shard = 0; shard < run_.tensor; ++shard)
        message(rank_at(stage, replica, shard), rank_at(next, replica, shard));
    }
  }

  std::int64_t compute(double mean) { return std::llround(mean * (0.7 + 0.6 * numbers_.uniform())); }

  std::int64_t end_noise() {
    const double far = numbers_.uniform() < run_.far_off ? 100'000 : 0;
    return std::llround(run_.noise * numbers_.normal() + far);
  }

  void collective(const std::string& group, const std::vector<std::size_t>& ranks, CollectiveKind kind, std::size_t i) {
    std::int64_t last = 0;
    for (const std::size_t rank : ranks) {
      now_[rank] += compute(400'000);
      last = std::max(last, now_[rank]);
    }
    RankCollective one;
    one.kind = kind;
    one.bytes = run_.equal_sizes ? 4096 : static_cast<std::int64_t>(1 + (i * 7) % 5) << 20;
    one.sequence = run_.sequences ? sequence_of_[group]++ : -1;
    finish(group, ranks, last, one, -1);
  }

  // Both ranks stay until the message is there.
  void message(std::size_t from, std::size_t to) {
    now_[from] += compute(400'000);
    now_[to] += compute(100'000);
    RankCollective one;
    one.bytes = 1 << 22;
    one.kind = CollectiveKind::send;
    const std::vector<std::size_t> ranks = {std::min(from, to), std::max(from, to)};
    finish(fmt::format("pp_{}_{}", ranks[0], ranks[1]), ranks, std::max(now_[from], now_[to]), one,
           static_cast<std::int64_t>(from));
  }

  // `sender`: of a message; else -1.
  void finish(const std::string& group, const std::vector<std::size_t>& ranks, std::int64_t last, RankCollective one,
              std::int64_t sender) {
    constexpr std::int64_t transfer = 40'000, launch = 20'000;
    one.step = step_;
    one.work = number_++;
    for (const std::size_t rank : ranks) {
      if (sender >= 0) {
        one.kind = static_cast<std::int64_t>(rank) == sender ? CollectiveKind::send : CollectiveKind::receive;
        one.peer = static_cast<std::int64_t>(rank == ranks[0] ? ranks[1] : ranks[0]);
      }
      const std::int64_t arrival = now_[rank], end = std::max(last + transfer + end_noise(), arrival + 1);
      one.group = group_of(made_.digests[rank], group, ranks);
      one.call = made_.local(rank, run_begin + arrival - launch);
      one.arrival = made_.local(rank, run_begin + arrival);
      one.ready = one.arrival;
      one.end = made_.local(rank, run_begin + end);
      made_.digests[rank].collectives.push_back(one);
      now_[rank] = end;
    }
  }

  static std::uint32_t group_of(RankDigest& digest, const std::string& name, const std::vector<std::size_t>& ranks) {
    std::vector<ProcessGroup>& groups = digest.identity.groups;
    const auto found = std::ranges::find(groups, name, &ProcessGroup::name);
    const auto place = static_cast<std::uint32_t>(found - groups.begin());
    if (found == groups.end()) groups.push_back({name, "", {ranks.begin(), ranks.end()}});
    return place;
  }

  const MadeRun& run_;
  MadeNumbers numbers_;
  MadeRanks made_;
  std::vector<std::int64_t> now_;  // by rank: ns since the begin
  std::map<std::string, std::int64_t> sequence_of_;
  std::int64_t step_ = 0;
  SliceId number_ = 0;
};

}  // namespace

std::int64_t MadeRanks::local(std::size_t rank, std::int64_t time) const {
  return time + std::llround(offsets[rank] + drifts[rank] * static_cast<double>(time - begin));
}

MadeRanks made_ranks(const MadeRun& run) { return RunMaker(run).make(); }

void lose(RankDigest& digest, std::size_t first, std::size_t count) {
  const std::size_t from = std::min(first, digest.collectives.size());
  const std::size_t to = std::min(from + count, digest.collectives.size());
  const auto begin = digest.collectives.begin();
  digest.collectives.erase(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to));
}

std::int64_t clock_error(const MadeRanks& made, const RankReport& report) {
  constexpr std::int64_t parts = 16;
  std::int64_t error = 0;
  for (std::size_t rank = 0; rank < report.ranks.size(); ++rank)
    for (std::int64_t i = 0; i <= parts; ++i) {
      const std::int64_t time = made.begin + (made.end - made.begin) / parts * i;
      const std::int64_t found = report.alignment.clocks[rank].common(made.local(rank, time));
      error = std::max(error, std::abs(found - made.local(0, time)));
    }
  return error;
}

std::size_t wrong_matches(const RankReport& report) {
  std::size_t wrong = 0;
  for (const MatchedCollective& one : report.collectives) {
    const auto number = [&](const Member& member) {
      return report.ranks[member.rank].collectives[member.collective].work;
    };
    wrong += std::ranges::any_of(one.members,
                                 [&](const Member& member) { return number(member) != number(one.members.front()); })
                 ? 1
                 : 0;
  }
  return wrong;
}

}  // namespace warpwalk::analysis
