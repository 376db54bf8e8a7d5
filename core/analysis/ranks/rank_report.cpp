// Puts the digests of all ranks together: order, matches, clocks, times, causes.
#include "core/analysis/ranks/rank_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_groups.h"
#include "core/analysis/ranks/robust_spread.h"

namespace warpwalk::analysis {
namespace {

// Times and offsets of damaged traces are cut to this, so that sums and differences fit 64 bits.
constexpr std::int64_t most_time = std::int64_t{1} << 61;

std::int64_t bounded(std::int64_t time) { return std::clamp(time, -most_time, most_time); }

// Nor does a collective take longer than a day, so that sums of waiting fit, too.
constexpr std::int64_t most_duration = std::int64_t{86'400} * 1'000'000'000;

// What a clock drifts in a time.
std::int64_t drift_in(std::int64_t time, double drift) {
  constexpr auto most = static_cast<double>(most_time);
  return std::llround(std::clamp(drift * static_cast<double>(time), -most, most));
}

// The number of ranks of the run that most digests record; of several, the smallest.
std::int64_t world_of_most(const std::vector<RankDigest>& digests) {
  std::map<std::int64_t, std::size_t> counts;
  for (const RankDigest& digest : digests)
    if (digest.identity.world > 0) ++counts[digest.identity.world];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  return most == counts.end() ? 0 : most->first;
}

// Keeps one digest of each rank of one run.
std::vector<RankDigest> ordered(std::vector<RankDigest> digests, std::vector<std::string>& problems) {
  leave_out_other_runs(digests, problems);
  std::ranges::stable_sort(digests, {}, [](const RankDigest& digest) { return digest.identity.rank; });
  std::vector<RankDigest> result;
  for (RankDigest& digest : digests) {
    if (!result.empty() && result.back().identity.rank == digest.identity.rank)
      problems.push_back(fmt::format("{}: is of rank {}, as {} is; it is left out", digest.file.string(),
                                     digest.identity.rank, result.back().file.string()));
    else
      result.push_back(std::move(digest));
  }
  return result;
}

void set_span(RankReport& report) {
  const bool any_aligned = std::ranges::any_of(report.alignment.clocks, &RankClock::aligned);
  bool first = true;
  for (std::size_t rank = 0; rank < report.ranks.size(); ++rank) {
    const bool known = rank < report.alignment.clocks.size();
    const RankClock clock = known ? report.alignment.clocks[rank] : RankClock();
    if (any_aligned && !clock.aligned) continue;
    const std::int64_t begin = clock.common(report.ranks[rank].begin), end = clock.common(report.ranks[rank].end);
    report.begin = first ? begin : std::min(report.begin, begin);
    report.end = first ? end : std::max(report.end, end);
    first = false;
  }
}

// A mixed collective may be a wrong match. Clocks that are not aligned are those of another part of the run; ranks that
// share a collective are in one part.
bool can_be_timed(const RankReport& report, const MatchedCollective& one) {
  if (one.mixed) return false;
  const auto aligned = std::ranges::count_if(
      one.members, [&](const Member& member) { return report.alignment.clocks[member.rank].aligned; });
  return aligned == 0 || static_cast<std::size_t>(aligned) == one.members.size();
}

// Whether the last arrival is known.
bool is_complete(const RankReport& report, const MatchedCollective& one) {
  if (one.missing > 0) return false;
  if (one.kind == CollectiveKind::send) return true;
  const std::size_t ranks = report.groups[one.group].ranks.size();
  return ranks == 0 || ranks == one.members.size();
}

std::int64_t median_arrival_without(const MatchedCollective& one, std::size_t left_out) {
  std::vector<std::int64_t> others;
  for (std::size_t i = 0; i < one.members.size(); ++i)
    if (i != left_out) others.push_back(one.members[i].arrival);
  const auto middle = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
  std::ranges::nth_element(others, middle);
  if (others.size() % 2 == 1) return *middle;
  const std::int64_t before = *std::max_element(others.begin(), middle);
  return before + (*middle - before) / 2;
}

// From so many members on, the spread of their arrivals says who else is late.
constexpr std::size_t many_members = 16;

// The last to arrive is late if its distance to the median of the others is more than the clocks' uncertainty, and if
// another rank was there to wait: a sender may leave before its message is received.
void find_late(MatchedCollective& one, std::int64_t uncertainty) {
  if (one.wait == 0) return;
  const auto last = std::ranges::max_element(one.members, {}, &Member::arrival);
  const auto place = static_cast<std::size_t>(last - one.members.begin());
  const std::int64_t late_by = last->arrival - median_arrival_without(one, place);
  if (late_by <= uncertainty) return;
  one.late = place;
  one.late_by = std::min(late_by, most_duration);
  if (one.members.size() < many_members) return;
  std::vector<std::int64_t> arrivals;
  for (const Member& member : one.members) arrivals.push_back(member.arrival);
  const RobustSpread spread = robust_spread(std::move(arrivals));
  one.middle = spread.middle;
  one.late_from = spread.middle + std::max(uncertainty, spread.outlier) + 1;
}

void time_one(const RankReport& report, MatchedCollective& one) {
  for (Member& member : one.members) {
    const RankCollective& own = report.ranks[member.rank].collectives[member.collective];
    const RankClock& clock = report.alignment.clocks[member.rank];
    member.arrival = clock.common(own.arrival);
    member.end = std::clamp(clock.common(own.end), member.arrival, member.arrival + most_duration);
    member.wait = 0;
  }
  one.last_arrival = std::ranges::max_element(one.members, {}, &Member::arrival)->arrival;
  one.transfer = one.wait = one.late_by = 0;
  one.late = MatchedCollective::nobody;
  one.late_from = std::numeric_limits<std::int64_t>::max();
  if (!can_be_timed(report, one)) return;
  const std::int64_t uncertainty = report.alignment.uncertainty;
  for (Member& member : one.members) {
    // Of other kinds, a rank that left before the last one came did not wait for it.
    if (!joins_all(one.kind) && member.end + uncertainty < one.last_arrival) continue;
    if (report.ranks[member.rank].collectives[member.collective].receives_too) continue;
    member.wait = std::min(one.last_arrival, member.end) - member.arrival;
    one.wait += member.wait;
  }
  if (is_complete(report, one)) {
    const std::int64_t last_end = std::ranges::max_element(one.members, {}, &Member::end)->end;
    one.transfer = std::max<std::int64_t>(0, last_end - one.last_arrival);
  }
  find_late(one, uncertainty);
}

void add_launched_before(RankReport& report) {
  std::size_t count = 0;
  for (const RankDigest& digest : report.ranks) count += digest.launched_before;
  if (count > 0)
    report.problems.push_back(fmt::format(
        "{} collective{} that {} launched before the recordings began {} left out: the process group is not recorded",
        count, count == 1 ? "" : "s", count == 1 ? "was" : "were", count == 1 ? "is" : "are"));
}

void add_unaligned(RankReport& report) {
  std::vector<std::int64_t> unaligned;
  for (std::size_t rank = 0; rank < report.ranks.size(); ++rank)
    if (!report.alignment.clocks[rank].aligned) unaligned.push_back(report.ranks[rank].identity.rank);
  if (unaligned.empty()) return;
  if (unaligned.size() == report.ranks.size())
    report.problems.push_back("the traces share no collectives, so that the clocks of the ranks cannot be aligned");
  else
    report.problems.push_back(
        fmt::format("the collectives do not connect {} {} with the other ranks, so that {} cannot "
                    "be aligned",
                    unaligned.size() == 1 ? "rank" : "ranks", ranks_list(unaligned),
                    unaligned.size() == 1 ? "its clock" : "their clocks"));
}

// No rank can leave a collective that joins all before the last one has arrived. Where one does, by more than ends
// differ, clocks or matches are wrong.
void add_impossible(RankReport& report) {
  const std::int64_t tolerance = std::max<std::int64_t>(5'000, 2 * report.alignment.uncertainty);
  std::size_t impossible = 0, all = 0;
  for (const MatchedCollective& one : report.collectives) {
    if (!joins_all(one.kind) || !can_be_timed(report, one)) continue;
    const std::int64_t first_end = std::ranges::min_element(one.members, {}, &Member::end)->end;
    impossible += first_end < one.last_arrival - tolerance ? 1 : 0;
    ++all;
  }
  if (impossible > 0)
    report.problems.push_back(fmt::format(
        "in {} of {} collectives a rank ends before the last one arrives: these matches or the clocks are wrong",
        impossible, all));
}

}  // namespace

std::int64_t RankClock::common(std::int64_t local) const {
  const std::int64_t time = bounded(local);
  if (drift == 0) return bounded(bounded(offset) + time);
  return bounded(bounded(offset) + time + drift_in(time - bounded(since), drift));
}

// common - offset = local + drift * (local - since), solved for local.
std::int64_t RankClock::local(std::int64_t common) const {
  const std::int64_t time = bounded(bounded(common) - bounded(offset));
  if (drift == 0) return time;
  return bounded(time - drift_in(time - bounded(since), drift / (1 + drift)));
}

double MatchedCollective::algorithm_bandwidth() const {
  return bytes > 0 && transfer > 0 ? static_cast<double>(bytes) / static_cast<double>(transfer) : 0;
}

double MatchedCollective::bus_bandwidth() const {
  const auto n = static_cast<double>(members.size());
  if (n == 0) return 0;
  switch (kind) {
    case CollectiveKind::all_reduce: return algorithm_bandwidth() * 2 * (n - 1) / n;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all: return algorithm_bandwidth() * (n - 1) / n;
    default: return algorithm_bandwidth();
  }
}

std::int64_t MatchedCollective::lateness(std::size_t member) const {
  if (late == nobody) return 0;
  if (member == late) return late_by;
  const std::int64_t arrival = members[member].arrival;
  return arrival < late_from ? 0 : std::min(arrival - middle, most_duration);
}

std::string_view name_of(LateKind kind) {
  constexpr std::string_view names[] = {"line", "kernel", "synchronize", "copy", "more_work", "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

std::int64_t RankReport::waited(std::size_t rank) const {
  std::int64_t sum = 0;
  for (const MatchedCollective& one : collectives) {
    const auto member = std::ranges::lower_bound(one.members, rank, {}, &Member::rank);
    if (member != one.members.end() && member->rank == rank) sum += member->wait;
  }
  return sum;
}

void leave_out_other_runs(std::vector<RankDigest>& digests, std::vector<std::string>& problems) {
  const std::int64_t world = world_of_most(digests);
  std::erase_if(digests, [&](const RankDigest& digest) {
    const std::int64_t own = digest.identity.world;
    if (own == 0 || own == world) return false;
    problems.push_back(
        fmt::format("{}: is of a run of {} ranks, the others of {}; it is left out", digest.file.string(), own, world));
    return true;
  });
}

void time_collectives(RankReport& report) {
  for (MatchedCollective& one : report.collectives) time_one(report, one);
  std::ranges::stable_sort(report.collectives, {}, [](const MatchedCollective& one) {
    return std::tuple(one.last_arrival, one.group, one.sequence);
  });
}

RankReport rank_report(std::vector<RankDigest> digests) {
  RankReport report;
  report.ranks = ordered(std::move(digests), report.problems);
  if (!report.empty()) {
    match_collectives(report);
    add_launched_before(report);
    report.alignment = align_clocks(report);
    time_collectives(report);
    add_unaligned(report);
    if (report.alignment.ends > 0) add_impossible(report);
  }
  set_span(report);
  if (!report.empty()) find_late_causes(report);
  group_late_ranks(report);
  return report;
}

std::size_t shared_collectives(const RankReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(report.collectives, is_shared));
}

std::int64_t skew_of(const MatchedCollective& collective) {
  if (!has_skew(collective)) return 0;
  std::int64_t first = collective.members.front().arrival;
  for (const Member& member : collective.members) first = std::min(first, member.arrival);
  return collective.last_arrival - first;
}

std::int64_t median_skew(const RankReport& report) {
  std::vector<std::int64_t> skews;
  for (const MatchedCollective& one : report.collectives)
    if (has_skew(one)) skews.push_back(skew_of(one));
  if (skews.empty()) return 0;
  const auto middle = skews.begin() + static_cast<std::ptrdiff_t>((skews.size() - 1) / 2);
  std::ranges::nth_element(skews, middle);
  return *middle;
}

}  // namespace warpwalk::analysis
