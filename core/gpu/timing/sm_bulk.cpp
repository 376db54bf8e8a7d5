#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/run/mbarrier_state.h"
#include "core/gpu/timing/asynchronous_units.h"
#include "core/gpu/timing/sm.h"

namespace warpwalk::gpu {

namespace {

constexpr std::uint64_t line_bytes = 128, sector_bytes = 32;

/// Calls visit(line, words) for the lines of a range; bit i of words is the i-th 4-byte word.
template <class Visit>
void for_each_line(const LoggedBulk::Range& range, Visit visit) {
  const std::uint64_t end = range.address + range.bytes;
  for (std::uint64_t line = range.address / line_bytes; line * line_bytes < end; ++line) {
    const std::uint64_t first = std::max(range.address, line * line_bytes) - line * line_bytes;
    const std::uint64_t last = std::min(end, (line + 1) * line_bytes) - line * line_bytes;
    const std::uint64_t words = ((std::uint64_t{1} << (last + 3) / 4) - 1) & ~((std::uint64_t{1} << first / 4) - 1);
    visit(line, static_cast<std::uint32_t>(words));
  }
}

std::uint8_t sectors_of(std::uint32_t words) {
  std::uint8_t sectors = 0;
  for (unsigned s = 0; s < line_bytes / sector_bytes; ++s)
    if ((words >> 8 * s & 0xff) != 0) sectors |= static_cast<std::uint8_t>(1U << s);
  return sectors;
}

bool is_partial(std::uint32_t words) {
  for (unsigned s = 0; s < 4; ++s)
    if (const std::uint32_t sector = words >> 8 * s & 0xff; sector != 0 && sector != 0xff) return true;
  return false;
}

/// An mbarrier at this offset in the shared window of the cluster; null if there is none.
std::uint8_t* barrier_at(const BlockState& block, std::uint32_t at) {
  const std::uint32_t rank = at >> block_rank_shift;
  const std::uint32_t offset = (at & ((1U << block_rank_shift) - 1)) - shared_begin;
  const bool remote = block.cluster != nullptr && rank < block.cluster->blocks.size();
  // Blocks are only read here to find the place; what is behind it belongs to the simulated GPU.
  auto& shared = const_cast<BlockState&>(remote ? *block.cluster->blocks[rank] : block).shared;
  return offset < shared.size() && shared.size() - offset >= 8 ? shared.data() + offset : nullptr;
}

}  // namespace

/// Waits until all but the newest `pending` groups of products are complete.
void Sm::wait_for_products(Slot& slot, unsigned pending) {
  if (slot.group_ends.size() <= pending) return;
  const auto last = slot.group_ends.end() - static_cast<std::ptrdiff_t>(pending);
  slot.ready_at = std::max(slot.ready_at, static_cast<std::int64_t>(std::ceil(*(last - 1))));
  slot.group_ends.erase(slot.group_ends.begin(), last);
}

/// The result of a TRYWAIT comes when the phase ends, or after a while.
void Sm::wait_for_phase(std::uint16_t number, std::uint8_t counter, double at) {
  Slot& slot = slots_[number];
  slot.phase = log_.phase_wait;
  slot.phase_counter = counter;
  add_event(at + asynchronous::phase_timeout, Event::Kind::phase_timeout, number, ++slot.phase_waits);
}

void Sm::end_phase_wait(std::uint16_t number, double at) {
  Slot& slot = slots_[number];
  slot.phase.lanes = 0;
  release_at(at, number, std::exchange(slot.phase_counter, InstructionTiming::no_counter));
}

void Sm::wake_at_timeout(std::uint16_t number, std::uint32_t wait, double at) {
  const Slot& slot = slots_[number];
  if (slot.warp != nullptr && slot.phase.lanes != 0 && slot.phase_waits == wait) end_phase_wait(number, at);
}

void Sm::wake_for_phase(const BlockState& block, double at) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.warp == nullptr || slot.block != &block || slot.phase.lanes == 0) continue;
    std::uint32_t over = 0;
    for (std::uint32_t left = slot.phase.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      const std::uint8_t* const barrier = barrier_at(block, slot.phase.at[lane]);
      const bool odd = (slot.phase.odd >> lane & 1) != 0;
      if (barrier == nullptr || is_odd_phase(barrier) != odd) over |= 1U << lane;
    }
    if (over != slot.phase.lanes) continue;
    std::uint32_t result = 0;
    std::memcpy(&result, slot.warp->registers.data() + slot.phase.predicate, sizeof result);
    result |= over;
    std::memcpy(slot.warp->registers.data() + slot.phase.predicate, &result, sizeof result);
    end_phase_wait(static_cast<std::uint16_t>(i), at);
  }
}

void Sm::start_bulk(std::uint16_t number, const LoggedBulk& bulk, double at) {
  if (bulk.writes)
    store_bulk(number, bulk, at);
  else
    load_bulk(number, bulk, at);
}

void Sm::load_bulk(std::uint16_t number, const LoggedBulk& bulk, double at) {
  const BlockState& block = *slots_[number].block;
  auto place = std::ranges::find(bulk_, nullptr, &Bulk::block);
  if (place == bulk_.end()) place = bulk_.insert(bulk_.end(), Bulk{});
  *place = {&block, block.index, bulk.completions};
  const std::uint32_t load = new_load(number, InstructionTiming::no_counter, false);
  loads_[load].bulk = static_cast<std::uint32_t>(place - bulk_.begin());
  loads_[load].remaining = 1;  // until all requests have been made
  double last = at + asynchronous::copy_start;
  for (const LoggedBulk::Range& range : bulk.ranges) {
    for_each_line(range, [&](std::uint64_t line, std::uint32_t words) {
      last = bulk_requests_.take(at + asynchronous::copy_start, asynchronous::copy_line_interval);
      const std::uint32_t id = new_pending(MemoryRequest::Kind::load);
      Pending& pending = pending_[id];
      pending.bulk = true;
      pending.sectors = sectors_of(words);
      pending.number = line;
      pending.left_at = last;
      pending.load = load;
      ++loads_[load].remaining;
      requests.push_back({.time = last,
                          .line = line,
                          .id = id,
                          .sm = id_,
                          .kind = MemoryRequest::Kind::load,
                          .sectors = pending.sectors});
    });
  }
  complete(load, last);
}

void Sm::store_bulk(std::uint16_t number, const LoggedBulk& bulk, double at) {
  Slot& slot = slots_[number];
  for (const LoggedBulk::Range& range : bulk.ranges) {
    for_each_line(range, [&](std::uint64_t line, std::uint32_t words) {
      const double cycles = std::popcount(words) * 4 / asynchronous::store_bytes_per_cycle;
      const double leaves = bulk_reads_.take(at + asynchronous::store_start, cycles) + cycles;
      slot.bulk_stores_read = std::max(slot.bulk_stores_read, leaves);
      MemoryRequest& request = requests.emplace_back();
      request = {.time = leaves,
                 .line = line,
                 .sm = id_,
                 .kind = bulk.reduces ? MemoryRequest::Kind::atomic : MemoryRequest::Kind::store,
                 .sectors = sectors_of(words),
                 .words = words,
                 .partial = is_partial(words),
                 .floating = bulk.floating};
      await_confirmation(number, request);
    });
  }
}

/// The data of a copy are there: its mbarriers count them.
void Sm::end_bulk(std::uint32_t index, double at) {
  Bulk& bulk = bulk_[index];
  // Blocks may end without waiting for a copy.
  const bool resident = std::ranges::any_of(blocks_, [&](const ResidentBlock& one) {
    return one.block != nullptr && one.block == bulk.block && one.block->index == bulk.index;
  });
  for (const LoggedBulk::Completion& completion : bulk.completions) {
    std::uint8_t* const barrier = resident ? barrier_at(*bulk.block, completion.barrier) : nullptr;
    if (barrier == nullptr) continue;
    complete_bytes(barrier, completion.bytes);
    const ClusterState* const cluster = bulk.block->cluster;
    const std::uint32_t rank = completion.barrier >> block_rank_shift;
    wake_for_phase(cluster != nullptr && rank < cluster->blocks.size() ? *cluster->blocks[rank] : *bulk.block, at);
  }
  bulk = {};
}

}  // namespace warpwalk::gpu
