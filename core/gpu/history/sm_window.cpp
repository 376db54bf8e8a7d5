#include "core/gpu/history/sm_window.h"

#include <algorithm>

namespace warpwalk::gpu {

namespace {

class Collector final : public SmObserver {
 public:
  explicit Collector(SmWindow& window) : window_(window) {}

  void issued(const IssuedInstruction& instruction, const std::vector<LoggedAccess>& accesses) override {
    window_.issues.push_back({instruction, accesses});
  }

  void spent(const WarpPlace& warp, std::int64_t from, std::int64_t to, StallReason reason,
             std::uint32_t instruction) override {
    from = std::max(from, window_.from);
    to = std::min(to, window_.to);
    if (from >= to) return;
    // The last row of a slot is the newest, and few warps come and go in a window.
    const auto newest = std::find_if(window_.warps.rbegin(), window_.warps.rend(),
                                     [&](const WarpRow& row) { return row.place == warp; });
    std::vector<WarpSpan>& spans =
        newest != window_.warps.rend() ? newest->spans : window_.warps.emplace_back(WarpRow{warp, {}}).spans;
    if (!spans.empty() && spans.back().to == from && spans.back().reason == reason &&
        spans.back().instruction == instruction && reason != StallReason::selected)
      spans.back().to = to;
    else
      spans.push_back({from, to, reason, instruction});
  }

  void answered(const RequestTrip& trip) override { window_.trips.push_back(trip); }

  void returned(const WarpPlace& warp, std::int64_t cycle, unsigned counter, std::uint32_t set_by,
                bool from_memory) override {
    window_.returns.push_back({warp, cycle, counter, set_by, from_memory});
  }

 private:
  SmWindow& window_;
};

class OneWarp final : public SmObserver {
 public:
  explicit OneWarp(WarpLife& life) : life_(life) {}

  void issued(const IssuedInstruction& instruction, const std::vector<LoggedAccess>&) override {
    if (instruction.warp == life_.row.place) life_.issues.push_back(instruction);
  }

  void spent(const WarpPlace& warp, std::int64_t from, std::int64_t to, StallReason reason,
             std::uint32_t instruction) override {
    if (!(warp == life_.row.place)) return;
    from = std::max(from, life_.from);
    to = std::min(to, life_.to);
    if (from < to) life_.row.spans.push_back({from, to, reason, instruction});
  }

  void answered(const RequestTrip&) override {}
  void returned(const WarpPlace&, std::int64_t, unsigned, std::uint32_t, bool) override {}

 private:
  WarpLife& life_;
};

}  // namespace

SmWindow watch_window(SmReplay& replay, std::int64_t from, std::int64_t to) {
  SmWindow window{from, to, {}, {}, {}, {}};
  Collector collector(window);
  replay.watch(from, to, collector);
  // The states of the warps at the end of the window.
  for (const WarpState& warp : replay.state().warps)
    collector.spent(warp.place, warp.since, to, warp.reason, warp.instruction);
  std::ranges::stable_sort(window.warps, {}, [](const WarpRow& row) { return row.place.slot; });
  return window;
}

WarpLife watch_warp(SmReplay& replay, const WarpPlace& warp, std::int64_t from, std::int64_t to) {
  WarpLife life{from, to, {warp, {}}, {}};
  OneWarp observer(life);
  replay.watch(from, to, observer);
  // The state of the warp at the end of the cycles.
  for (const WarpState& state : replay.state().warps)
    observer.spent(state.place, state.since, to, state.reason, state.instruction);
  return life;
}

}  // namespace warpwalk::gpu
