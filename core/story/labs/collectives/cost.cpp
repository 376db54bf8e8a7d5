#include "core/story/labs/collectives/cost.h"

#include <algorithm>

#include "core/story/labs/collectives/ring.h"
#include "core/story/labs/collectives/tree.h"

namespace warpwalk::story {
namespace {

std::optional<LinkFit> fit_for(const std::vector<records::CollectiveTime>& times, int gpus) {
  const records::CollectiveTime *smallest = nullptr, *largest = nullptr;
  for (const records::CollectiveTime& one : times) {
    if (one.kind != "all_reduce" || one.gpus != gpus) continue;
    if (smallest == nullptr || one.bytes < smallest->bytes) smallest = &one;
    if (largest == nullptr || one.bytes > largest->bytes) largest = &one;
  }
  if (smallest == nullptr || largest->bytes <= smallest->bytes || largest->ns <= smallest->ns) return {};
  const CollectiveCost ring = ring_cost(gpus);
  return LinkFit{{smallest->ns / ring.steps, ring.share * largest->bytes / (largest->ns - smallest->ns)}, gpus};
}

}  // namespace

double CollectiveCost::ns(double bytes, const LinkModel& link) const {
  return steps * link.latency + share * bytes / link.bandwidth;
}

CollectiveCost ring_cost(int gpus) {
  const CollectivePlan plan = ring_plan(analysis::CollectiveKind::all_reduce, gpus);
  return {plan.steps, plan.busiest_share()};
}

CollectiveCost tree_cost(int gpus, int trees) {
  const CollectivePlan plan = tree_plan(gpus, trees, trees);
  return {plan.steps, plan.busiest_share()};
}

std::optional<double> crossover_bytes(const CollectiveCost& first, const CollectiveCost& second,
                                      const LinkModel& link) {
  if (second.steps >= first.steps || second.share <= first.share) return {};
  return (first.steps - second.steps) * link.latency * link.bandwidth / (second.share - first.share);
}

double all_reduce_bus_bandwidth(int gpus, double bytes, double ns) {
  return ns <= 0 ? 0 : bytes / ns * 2 * (gpus - 1) / gpus;
}

std::optional<LinkFit> fit_link(const std::vector<records::CollectiveTime>& times, int gpus) {
  if (auto own = fit_for(times, gpus)) return own;
  std::optional<LinkFit> best;
  for (int other = max_collective_gpus; other >= 2 && !best; --other) best = fit_for(times, other);
  return best;
}

}  // namespace warpwalk::story
