#include "core/story/facts/simulated/warp_schedule.h"

#include <algorithm>

namespace warpwalk::story {
namespace {

struct Warp {
  std::vector<std::int64_t> usable;  ///< cycle from which each chain's next instruction can be issued
  std::size_t next = 0;              ///< chain whose turn it is
  std::int64_t last = -1;            ///< cycle of the last issue
};

}  // namespace

std::vector<std::vector<WarpCycle>> warp_schedule(const WarpLoad& load, std::size_t cycles) {
  std::vector<Warp> warps(static_cast<std::size_t>(load.warps));
  for (Warp& warp : warps) warp.usable.assign(static_cast<std::size_t>(load.independent), 0);
  std::vector<std::vector<WarpCycle>> states(warps.size(), std::vector<WarpCycle>(cycles, WarpCycle::waits));
  for (std::size_t cycle = 0; cycle < cycles; ++cycle) {
    const auto now = static_cast<std::int64_t>(cycle);
    std::size_t chosen = warps.size();
    for (std::size_t w = 0; w < warps.size(); ++w) {
      if (warps[w].usable[warps[w].next] > now) continue;
      states[w][cycle] = WarpCycle::ready;
      if (chosen == warps.size() || warps[w].last < warps[chosen].last) chosen = w;
    }
    if (chosen == warps.size()) continue;
    Warp& warp = warps[chosen];
    states[chosen][cycle] = WarpCycle::issues;
    warp.usable[warp.next] = now + load.latency;
    warp.next = (warp.next + 1) % warp.usable.size();
    warp.last = now;
  }
  return states;
}

double issue_rate(const WarpLoad& load) {
  return std::min(1.0, static_cast<double>(load.warps * load.independent) / static_cast<double>(load.latency));
}

std::int64_t enough_warps(std::int64_t independent, std::int64_t latency) {
  return (latency + independent - 1) / independent;
}

}  // namespace warpwalk::story
