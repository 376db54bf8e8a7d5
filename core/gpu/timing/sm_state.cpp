#include "core/gpu/timing/sm_state.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/gpu/timing/sm.h"

namespace warpwalk::gpu {

SmState Sm::state() const {
  SmState state;
  std::vector<std::uint16_t> resident;
  for (const SubPartition& sub : subs_) resident.insert(resident.end(), sub.warps.begin(), sub.warps.end());
  std::ranges::sort(resident);
  for (const std::uint16_t number : resident) {
    const Slot& slot = slots_[number];
    WarpState& warp = state.warps.emplace_back();
    warp.place = place_of(slot);
    warp.block = slot.block;
    warp.warp = slot.warp;
    warp.instruction = slot.at;
    warp.age = slot.age;
    warp.reason = slot.reason;
    warp.since = slot.since;
    warp.ready_at = slot.ready_at;
    warp.exited = slot.exited;
    warp.at_barrier = slot.waits;
    warp.stores = slot.stores;
    if (slot.code < context_.instructions.size()) warp.wait_mask = context_.instructions[slot.code].wait_mask;
    for (std::size_t i = 0; i < counters_per_warp; ++i)
      warp.dependences[i] = {slot.pending[i], slot.pending_long[i], slot.set_by[i], slot.set_at[i]};
  }
  for (const SubPartition& sub : subs_) {
    QueueState& queue = state.sub_partitions.emplace_back();
    queue.memory = sub.queued;
    queue.global = sub.queued_global;
    for (std::size_t i = 0; i < pipe_count; ++i)
      queue.pipe_free_at[i] = static_cast<std::int64_t>(std::ceil(sub.pipe_free[i]));
  }
  for (std::size_t i = 1; i < pending_.size(); ++i) {
    const Pending& pending = pending_[i];
    if (!pending.in_flight) continue;
    RequestState& request = state.requests.emplace_back();
    request.store = pending.kind == MemoryRequest::Kind::store;
    request.fetch = pending.kind == MemoryRequest::Kind::fetch;
    request.id = static_cast<std::uint32_t>(i);
    request.line = pending.number;
    request.sectors = pending.sectors;
    for_each_load(pending, [&](std::uint32_t load) {
      if (std::ranges::find(request.slots, loads_[load].slot) == request.slots.end())
        request.slots.push_back(loads_[load].slot);
    });
  }
  for (const L1Line& line : l1_.lines()) state.l1_sectors += static_cast<std::uint64_t>(std::popcount(line.present));
  return state;
}

void Sm::move_blocks(const std::function<BlockState*(const BlockState*)>& copy_of) {
  for (ResidentBlock& resident : blocks_)
    if (resident.block != nullptr) resident.block = copy_of(resident.block);
  for (Bulk& bulk : bulk_)
    if (bulk.block != nullptr) bulk.block = copy_of(bulk.block);
  for (Slot& slot : slots_) {
    if (slot.warp == nullptr) continue;
    BlockState* const block = copy_of(slot.block);
    slot.warp = &block->warps[slot.warp->id];
    slot.block = block;
  }
}

std::size_t Sm::bytes() const {
  return sizeof *this + slots_.size() * sizeof(Slot) + l1_.bytes() + loads_.size() * sizeof(Load) +
         pending_.size() * sizeof(Pending) + events_.size() * sizeof(Event) + constants_.size() * sizeof(double);
}

}  // namespace warpwalk::gpu
