#include "tests/traces/ranks_report.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace warpwalk::analysis {
namespace {

constexpr std::int64_t us = 1000, ms = 1000 * us;

std::uint32_t name_in(RankDigest& digest, const std::string& name) {
  const auto found = std::ranges::find(digest.names, name);
  if (found != digest.names.end()) return static_cast<std::uint32_t>(found - digest.names.begin());
  digest.names.push_back(name);
  return static_cast<std::uint32_t>(digest.names.size()) - 1;
}

RankReport empty_run(std::size_t ranks, std::int64_t uncertainty) {
  RankReport report;
  ProcessGroup group{"0", "default_pg", {}};
  for (std::size_t rank = 0; rank < ranks; ++rank) group.ranks.push_back(static_cast<std::int64_t>(rank));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    RankDigest digest;
    digest.file = fmt::format("trace_rank{}.json", rank);
    digest.identity.rank = static_cast<std::int64_t>(rank);
    digest.identity.world = static_cast<std::int64_t>(ranks);
    digest.identity.groups = {group};
    digest.names = {""};
    report.ranks.push_back(std::move(digest));
    report.alignment.clocks.push_back({0, 0, 0, true});
  }
  report.groups = {group};
  report.alignment.uncertainty = uncertainty;
  return report;
}

/// A collective: the arrival of each rank, and its end.
struct Made {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::int64_t step = 0, bytes = 0;
  std::vector<std::int64_t> arrivals;
  std::int64_t end = 0;
};

// Slices are numbered by rank: 1,000 times the rank and the number of the collective.
void add(RankReport& report, const Made& made) {
  MatchedCollective one;
  one.kind = made.kind;
  one.sequence = static_cast<std::int64_t>(report.collectives.size());
  one.bytes = made.bytes;
  one.step = made.step;
  one.last_arrival = *std::ranges::max_element(made.arrivals);
  one.transfer = made.end - one.last_arrival;
  std::vector<std::int64_t> sorted = made.arrivals;
  std::ranges::sort(sorted);
  for (std::size_t rank = 0; rank < made.arrivals.size(); ++rank) {
    RankDigest& digest = report.ranks[rank];
    RankCollective own;
    own.kind = made.kind;
    own.bytes = made.bytes;
    own.step = made.step;
    own.arrival = made.arrivals[rank];
    own.call = own.arrival - 100 * us;
    own.ready = own.arrival - 50 * us;
    own.end = made.end;
    own.work = static_cast<SliceId>(1000 * rank + digest.collectives.size());
    own.first_cost = digest.costs.size();
    const std::int64_t wait = one.last_arrival - own.arrival;
    one.members.push_back({rank, digest.collectives.size(), own.arrival, own.end, wait});
    one.wait += wait;
    digest.collectives.push_back(own);
    digest.communicating += own.end - own.arrival;
    digest.exposed += own.end - own.arrival;
    digest.end = std::max(digest.end, own.end);
  }
  const std::int64_t late_by = sorted.back() - sorted[(sorted.size() - 2) / 2];
  if (late_by > report.alignment.uncertainty) {
    one.late = static_cast<std::size_t>(std::ranges::max_element(made.arrivals) - made.arrivals.begin());
    one.late_by = late_by;
  }
  ++report.alignment.ends;
  report.end = std::max(report.end, made.end);
  report.collectives.push_back(std::move(one));
}

// A cost before the last collective that was added; costs of the CPU come first.
void add_cost(RankDigest& digest, CostKind kind, const std::string& name, std::int64_t time, SliceId slice) {
  StretchCost cost;
  cost.name = name_in(digest, name);
  cost.kind = kind;
  cost.count = 1;
  cost.time = time;
  cost.slice = slice;
  digest.costs.push_back(cost);
  ++digest.collectives.back().costs;
}

RankReport two_ranks(std::int64_t first_delay, std::int64_t second_delay) {
  RankReport report = empty_run(2, 20 * us);
  for (std::int64_t step = 0; step < 3; ++step) {
    const std::int64_t at = step * 20 * ms;
    add(report, {CollectiveKind::all_reduce, step, 25'000'000, {at + 2 * ms, at + 2 * ms + first_delay}, at + 11 * ms});
    for (std::size_t rank = 0; rank < 2; ++rank) {
      RankDigest& digest = report.ranks[rank];
      const auto slice = static_cast<SliceId>(1000 * rank + 100 + static_cast<std::size_t>(step));
      const bool sleeps = rank == 1 && first_delay > ms;
      add_cost(digest, sleeps ? CostKind::blocked : CostKind::line, "/home/me/train.py(31): load_batch",
               sleeps ? 8100 * us : 100 * us, slice);
      add_cost(digest, CostKind::line, "/home/me/train.py(40): step", 1400 * us, slice + 100);
      add_cost(digest, CostKind::kernel, "gemm", rank == 1 ? 1200 * us : 1100 * us, slice + 200);
    }
    add(report, {CollectiveKind::all_reduce,
                 step,
                 4'000'000,
                 {at + 12 * ms, at + 12 * ms + second_delay},
                 at + 12 * ms + 500 * us});
  }
  for (RankDigest& digest : report.ranks) {
    digest.computing = 10 * ms;
    digest.exposed -= 3 * ms;
    digest.steps = 3;
  }
  return report;
}

}  // namespace

RankReport late_ranks() {
  RankReport report = two_ranks(8 * ms, 10 * us);
  LateCause cause;
  cause.rank = 1;
  cause.kind = LateKind::line;
  cause.late = 8 * ms;
  cause.times = 3;
  cause.last_in = 3;
  cause.of = 6;
  cause.waited = 24 * ms;
  cause.communicating = 28 * ms + 500 * us;
  cause.slept = true;
  cause.name = "sleep";
  cause.function = "load_batch";
  cause.file = "train.py";
  cause.line = 31;
  cause.collective = 0;
  cause.slice = 1100;
  report.causes = {cause};
  group_late_ranks(report);
  return report;
}

RankReport healthy_ranks() { return two_ranks(15 * us, 15 * us); }

RankReport many_ranks(std::size_t ranks, std::size_t steps) {
  RankReport report = empty_run(ranks, 5 * us);
  for (std::size_t step = 0; step < steps; ++step) {
    const auto at = static_cast<std::int64_t>(step) * 10 * ms + ms;
    Made made{CollectiveKind::all_gather, static_cast<std::int64_t>(step), 1'000'000, {}, at + 3 * ms};
    for (std::size_t rank = 0; rank < ranks; ++rank)
      made.arrivals.push_back(at + (rank == 5 ? 2 * ms : static_cast<std::int64_t>(rank % 3) * 5 * us));
    add(report, made);
  }
  LateCause cause;
  cause.rank = 5;
  cause.kind = LateKind::unknown;
  cause.late = 2 * ms;
  cause.times = cause.last_in = cause.of = steps;
  cause.waited = static_cast<std::int64_t>(steps * (ranks - 1)) * 2 * ms;
  cause.communicating = static_cast<std::int64_t>(steps * (ranks - 1)) * 3 * ms;
  report.causes = {cause};
  group_late_ranks(report);
  return report;
}

}  // namespace warpwalk::analysis
