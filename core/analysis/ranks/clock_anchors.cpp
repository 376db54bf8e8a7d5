// Chooses the collectives from which clocks are found.
#include "core/analysis/ranks/clock_anchors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/analysis/ranks/robust_line.h"

namespace warpwalk::analysis {
namespace {

// Collectives of a group that are used: more of them make the clocks no better than the times of traces are.
constexpr std::size_t most_anchors = 1024;

// On two H100 and two H200, whose clocks are one, the ends of NCCL's all-reduces of 2 kB to 64 MB differ by up to 8 %
// of the transfer: by 0.1 us in one of 6 us, by 3 us in 36 us, by 22 us in 280 us.
constexpr double end_share = 1.0 / 12;
constexpr double end_noise = 5'000;  // ns, of a single end, at worst

// Collectives of one kind and size.
struct AnchorClass {
  std::vector<std::size_t> collectives;  // in RankReport::collectives
  double transfer = 0;                   // ns: the median of the shortest stay
};
using AnchorClasses = std::map<std::pair<CollectiveKind, std::int64_t>, AnchorClass>;

constexpr std::int64_t most_anchor_time = std::int64_t{1} << 61;

std::int64_t bounded_end(const RankReport& report, const Member& member) {
  return std::clamp(report.ranks[member.rank].collectives[member.collective].end, -most_anchor_time, most_anchor_time);
}

// The stay of the rank that came last is the transfer.
double shortest_stay(const RankReport& report, const MatchedCollective& one) {
  double shortest = std::numeric_limits<double>::max();
  for (const Member& member : one.members) {
    const RankCollective& own = report.ranks[member.rank].collectives[member.collective];
    shortest = std::min(shortest, static_cast<double>(own.end) - static_cast<double>(own.arrival));
  }
  return std::max(1.0, shortest);
}

AnchorClasses classes_of(const RankReport& report, const std::vector<std::size_t>& collectives) {
  AnchorClasses classes;
  std::map<std::pair<CollectiveKind, std::int64_t>, std::vector<double>> stays;
  for (const std::size_t i : collectives) {
    const MatchedCollective& one = report.collectives[i];
    const double stay = shortest_stay(report, one);
    // Without sizes, by the order of magnitude.
    const std::pair key{one.kind, one.bytes > 0 ? one.bytes : -1 - std::ilogb(stay)};
    classes[key].collectives.push_back(i);
    stays[key].push_back(stay);
  }
  for (auto& [key, one] : classes) one.transfer = quantile_of(stays[key], 0.5);
  return classes;
}

// The classes with the smallest error of the offset, which is a share of the transfer and what noise leaves, and those
// that take up to twice as long.
std::vector<std::size_t> precise_ones(const AnchorClasses& classes, double& error) {
  const auto error_of = [](const AnchorClass& one) {
    return end_share * one.transfer + end_noise / std::sqrt(static_cast<double>(one.collectives.size()));
  };
  const AnchorClass* best = nullptr;
  for (const auto& [key, one] : classes)
    if (best == nullptr || error_of(one) < error_of(*best)) best = &one;
  std::vector<std::size_t> precise;
  for (const auto& [key, one] : classes)
    if (one.transfer <= 2 * best->transfer)
      precise.insert(precise.end(), one.collectives.begin(), one.collectives.end());
  std::ranges::sort(precise);
  error = end_share * best->transfer;
  return precise;
}

// A sample, evenly spread but not in step with a period of the training.
std::vector<ClockAnchor> sampled(const RankReport& report, const std::vector<std::size_t>& collectives,
                                 ClockAnchors& anchors) {
  constexpr double golden = 0.6180339887498949;
  std::vector<ClockAnchor> result;
  const std::size_t size = collectives.size(), count = std::min(size, most_anchors);
  const double stride = static_cast<double>(size) / static_cast<double>(std::max<std::size_t>(1, count));
  for (std::size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(i), within = std::fmod(place * golden, 1.0);
    const std::size_t at = size > count ? static_cast<std::size_t>((place + within) * stride) : i;
    const MatchedCollective& one = report.collectives[collectives[std::min(at, size - 1)]];
    const std::size_t first = anchors.ends.size();
    for (const Member& member : one.members) anchors.ends.push_back({member.rank, anchors.x(report, member)});
    result.push_back({first, anchors.ends.size()});
  }
  return result;
}

}  // namespace

double ClockAnchors::x(const RankReport& report, const Member& member) const {
  return static_cast<double>(bounded_end(report, member) - origins[member.rank]);
}

ClockAnchors clock_anchors(const RankReport& report) {
  ClockAnchors anchors;
  anchors.origins.assign(report.ranks.size(), most_anchor_time);
  std::vector<std::vector<std::size_t>> of_group(report.groups.size());
  for (std::size_t i = 0; i < report.collectives.size(); ++i) {
    const MatchedCollective& one = report.collectives[i];
    for (const Member& member : one.members)
      anchors.origins[member.rank] = std::min(anchors.origins[member.rank], bounded_end(report, member));
    if (!one.mixed && joins_all(one.kind)) of_group[one.group].push_back(i);
  }
  for (std::int64_t& origin : anchors.origins)
    if (origin == most_anchor_time) origin = 0;
  for (const std::vector<std::size_t>& all : of_group) {
    if (all.empty()) continue;
    AnchorGroup group;
    const std::vector<std::size_t> precise = precise_ones(classes_of(report, all), group.error);
    group.all = sampled(report, all, anchors);
    group.precise = precise.size() == all.size() ? group.all : sampled(report, precise, anchors);
    anchors.groups.push_back(std::move(group));
  }
  return anchors;
}

}  // namespace warpwalk::analysis
