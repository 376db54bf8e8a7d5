#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/run/complete_bytes.h"
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

}  // namespace

/// Waits until all but the newest `pending` groups of products are complete.
void Sm::wait_for_products(Slot& slot, unsigned pending) {
  if (slot.group_ends.size() <= pending) return;
  const auto last = slot.group_ends.end() - static_cast<std::ptrdiff_t>(pending);
  slot.ready_at = std::max(slot.ready_at, static_cast<std::int64_t>(std::ceil(*(last - 1))));
  slot.group_ends.erase(slot.group_ends.begin(), last);
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
      pending.loads.push_back(load);
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
void Sm::end_bulk(std::uint32_t index) {
  Bulk& bulk = bulk_[index];
  // Blocks may end without waiting for a copy.
  const bool resident = std::ranges::any_of(blocks_, [&](const ResidentBlock& one) {
    return one.block != nullptr && one.block == bulk.block && one.block->index == bulk.index;
  });
  if (resident) {
    const ClusterState* const cluster = bulk.block->cluster;
    for (const LoggedBulk::Completion& completion : bulk.completions) {
      const std::uint32_t rank = completion.barrier >> block_rank_shift;
      const std::uint32_t offset = (completion.barrier & ((1U << block_rank_shift) - 1)) - shared_begin;
      for (const ResidentBlock& one : blocks_) {
        if (one.block != bulk.block) continue;
        BlockState& to = cluster != nullptr && rank < cluster->blocks.size() ? *cluster->blocks[rank] : *one.block;
        if (offset < to.shared.size() && to.shared.size() - offset >= 8)
          complete_bytes(to.shared.data() + offset, completion.bytes);
      }
    }
  }
  bulk = {};
}

}  // namespace warpwalk::gpu
