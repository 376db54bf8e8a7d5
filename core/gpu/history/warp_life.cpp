#include "core/gpu/history/warp_life.h"

#include <algorithm>

namespace warpwalk::gpu {
namespace {

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
