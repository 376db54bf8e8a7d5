#include "core/story/labs/collectives/late.h"

#include <algorithm>

namespace warpwalk::story {
namespace {

// Joins what overlaps or touches, and counts the time in between as waiting.
void finish(ArrivedGpu& gpu) {
  std::ranges::sort(gpu.busy);
  std::vector<std::pair<double, double>> joined;
  for (const auto& [from, to] : gpu.busy)
    if (!joined.empty() && from <= joined.back().second)
      joined.back().second = std::max(joined.back().second, to);
    else
      joined.emplace_back(from, to);
  gpu.busy = std::move(joined);
  gpu.waited = gpu.end - gpu.arrival;
  for (const auto& [from, to] : gpu.busy) gpu.waited -= to - from;
}

}  // namespace

std::vector<ArrivedGpu> run_with_arrivals(const CollectivePlan& plan, const std::vector<double>& arrivals,
                                          double send_ns) {
  std::vector<ArrivedGpu> all;
  for (const double arrival : arrivals) all.push_back({arrival, arrival, {}, 0});
  std::vector<double> before = arrivals;  // when each GPU is done with the earlier steps
  int step = 0;
  for (const CollectiveSend& send : plan.sends) {
    if (send.step != step) {
      step = send.step;
      for (std::size_t gpu = 0; gpu < all.size(); ++gpu) before[gpu] = all[gpu].end;
    }
    const auto from = static_cast<std::size_t>(send.from), to = static_cast<std::size_t>(send.to);
    const double start = std::max(before[from], before[to]);
    for (const std::size_t gpu : {from, to}) {
      all[gpu].busy.emplace_back(start, start + send_ns);
      all[gpu].end = std::max(all[gpu].end, start + send_ns);
    }
  }
  for (ArrivedGpu& gpu : all) finish(gpu);
  return all;
}

}  // namespace warpwalk::story
