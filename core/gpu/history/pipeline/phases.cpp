#include "core/gpu/history/pipeline/phases.h"

#include <algorithm>

namespace warpwalk::gpu {

namespace {

MbarrierCount count_after(const MbarrierChange& change) {
  return {change.cycle, change.state.pending, change.state.pending_bytes};
}

void begin_phase(MbarrierLife& life, std::uint32_t number, const MbarrierChange& change) {
  MbarrierPhase& phase = life.phases.emplace_back();
  phase.number = number;
  phase.from = change.cycle;
  phase.expected = change.state.expected;
  phase.counts.push_back(count_after(change));
}

void apply_change(MbarrierLife& life, const MbarrierChange& change) {
  if (life.phases.empty() || change.initialized) {
    // An mbarrier that is initialized again begins with phase 0.
    if (change.state.expected != 0) begin_phase(life, change.state.odd ? 1 : 0, change);
    life.counts_bytes = life.counts_bytes || change.state.pending_bytes != 0;
    return;
  }
  MbarrierPhase& phase = life.phases.back();
  const MbarrierCount before = phase.counts.back();
  const bool ends = (phase.number & 1) != (change.state.odd ? 1u : 0u);
  life.counts_bytes = life.counts_bytes || change.state.pending_bytes != 0;
  if (!ends) {
    if (change.state.pending_bytes > before.bytes)
      phase.announced += static_cast<std::uint64_t>(change.state.pending_bytes - before.bytes);
    phase.expected = change.state.expected;
    phase.counts.push_back(count_after(change));
    return;
  }
  phase.completed = change.cycle;
  phase.by_bytes = before.arrivals == 0 && before.bytes != 0;
  begin_phase(life, phase.number + 1, change);
}

/// The phase of this parity that lasts when a warp's test fails in a cycle.
MbarrierPhase* phase_waited_for(MbarrierLife& life, const MbarrierWait& wait) {
  for (auto phase = life.phases.rbegin(); phase != life.phases.rend(); ++phase)
    if (phase->from <= wait.from && (phase->number & 1) == (wait.odd ? 1u : 0u) &&
        (!phase->completed || *phase->completed >= wait.from))
      return &*phase;
  return nullptr;
}

}  // namespace

const MbarrierCount& MbarrierPhase::at(std::int64_t cycle) const {
  // A change in a cycle is there from the next one on.
  const auto after = std::ranges::lower_bound(counts, cycle, {}, &MbarrierCount::cycle);
  return after == counts.begin() ? counts.front() : *(after - 1);
}

const MbarrierPhase* MbarrierLife::at(std::int64_t cycle) const {
  const auto after = std::ranges::lower_bound(phases, cycle, {}, &MbarrierPhase::from);
  return after == phases.begin() ? nullptr : &*(after - 1);
}

std::vector<MbarrierLife> mbarriers_of(const BlockLog& log) {
  std::vector<MbarrierLife> lives;
  for (const MbarrierChange& change : log.changes) {
    auto life = std::ranges::lower_bound(lives, change.offset, {}, &MbarrierLife::offset);
    if (life == lives.end() || life->offset != change.offset) {
      life = lives.insert(life, MbarrierLife{});
      life->offset = change.offset;
    }
    apply_change(*life, change);
  }
  std::erase_if(lives, [](const MbarrierLife& life) { return life.phases.empty(); });
  for (const std::vector<MbarrierWait>& waits : log.waits)
    for (const MbarrierWait& wait : waits) {
      const auto life = std::ranges::find(lives, wait.offset, &MbarrierLife::offset);
      if (life == lives.end()) continue;
      MbarrierPhase* const phase = phase_waited_for(*life, wait);
      if (phase == nullptr) continue;
      std::optional<std::int64_t> to = phase->completed;
      if (wait.left && (!to || *wait.left < *to)) to = wait.left;
      phase->waiters.push_back({wait.warp, wait.instruction, wait.from, to});
    }
  return lives;
}

std::vector<NamedBarrierUse> uses_of_named_barrier(const BlockLog& log, std::uint32_t number) {
  std::vector<NamedBarrierUse> uses;
  for (const NamedBarrierChange& change : log.named_barriers) {
    if (change.number != number) continue;
    const bool open = !uses.empty() && !uses.back().to;
    if (change.in_use && !open) uses.push_back({change.cycle, {}, change.expected});
    if (!change.in_use && open) uses.back().to = change.cycle;
  }
  return uses;
}

}  // namespace warpwalk::gpu
