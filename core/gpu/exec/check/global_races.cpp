#include "core/gpu/exec/check/global_races.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/check/finding_text.h"
#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

namespace {

/// Limit of the number of synchronization variables of the launch, and of a block.
constexpr std::size_t variable_limit = 1 << 20, block_variable_limit = 1 << 18;

/// The block with this index, if it is the current one or in its cluster; null otherwise.
const BlockState* block_nearby(const Machine& m, std::uint32_t index) {
  if (static_cast<std::uint32_t>(m.block->index) == index) return m.block;
  if (m.block->cluster == nullptr) return nullptr;
  for (const BlockState* const block : m.block->cluster->blocks)
    if (static_cast<std::uint32_t>(block->index) == index) return block;
  return nullptr;
}

std::string block_text(const Machine& m, std::uint32_t index) {
  const auto& grid = m.context.launch->grid;
  return fmt::format("block ({},{},{})", index % grid[0], index / grid[0] % grid[1], index / grid[0] / grid[1]);
}

}  // namespace

/// Checks one lane's access against the shadow memory and records it there.
struct GlobalRaces::LaneAccess {
  GlobalRaces& races;
  Machine& m;
  const Op& op;
  int lane;
  std::uint64_t address;
  bool writes;
  GlobalTouch touch;
  const std::uint64_t* addresses;  ///< of all lanes
  const std::uint8_t* memory;      ///< contents before the access
  bool reported = false;

  bool same_thread(const GlobalTouch& other) const {
    return other.block == touch.block && other.thread == touch.thread;
  }
  bool same_warp(const GlobalTouch& other) const {
    return other.block == touch.block && other.thread / 32 == touch.thread / 32;
  }

  bool ordered(const GlobalTouch& before) const {
    SharedShadow& shadow = *m.block->shadow;
    const BlockState* const block = block_nearby(m, before.block);
    if (before.bulk_store != 0 && block != nullptr)
      return shadow.is_complete(m.shadow_warp(), channel_of(*block, before), before.execution);
    if (same_thread(before)) return true;
    if (block == nullptr)
      return before.epoch <= shadow.clock(m.shadow_warp()).others.epoch_of(before.block, before.thread / 32U);
    return shadow.is_ordered(block->first_warp * 32 + before.thread, before.epoch, m.shadow_thread(lane));
  }

  static std::uint32_t channel_of(const BlockState& block, const GlobalTouch& store) {
    return block.shadow->channel(SharedShadow::ChannelKind::bulk_group, block.first_warp * 32 + store.thread);
  }

  bool both_strong(const GlobalTouch& other) const {
    if (touch.strong == 0 || other.strong == 0) return false;
    const bool narrow = touch.block_scope != 0 || other.block_scope != 0;
    return !narrow || block_nearby(m, other.block) != nullptr;
  }

  bool conflicts(const GlobalTouch& other) const { return other.exists() && !both_strong(other) && !ordered(other); }

  /// The value that a lane stores to byte `i` of its access; null if that is unknown.
  const std::uint8_t* stored_byte(int of_lane, std::uint64_t i) const {
    if (op.run != handlers::store) return nullptr;
    const Access& access = m.program.accesses[op.table_index];
    const std::uint64_t element = i / access.bytes;
    if (element >= access.elements) return nullptr;
    return m.at<const std::uint8_t>(access.values[element]) + access.register_bytes[element] * of_lane +
           i % access.bytes;
  }

  /// True if the access stores the value that `earlier` has written to this cell.
  bool stores_same_value(const GlobalTouch& earlier, int i, int bytes) const {
    if (!writes || touch.strong != 0) return false;
    const bool together =
        same_warp(earlier) && earlier.instruction == touch.instruction && earlier.execution == touch.execution;
    for (int k = i; k < i + bytes; ++k) {
      const std::uint8_t* const mine = stored_byte(lane, static_cast<std::uint64_t>(k));
      const std::uint8_t* theirs = memory + k;
      if (together) {
        // The other lane has not stored yet.
        const int there = earlier.thread % 32;
        theirs = stored_byte(there, address + static_cast<std::uint64_t>(k) - addresses[there]);
      }
      if (mine == nullptr || theirs == nullptr || *mine != *theirs) return false;
    }
    return true;
  }

  /// True if a strong read of this or an ordered thread has followed the strong write, and so has read its value.
  bool has_observed(const GlobalCell& cell) const {
    return std::ranges::any_of(cell.reads, [&](const GlobalTouch& read) {
      return read.exists() && read.strong != 0 && (same_warp(read) || ordered(read));
    });
  }

  /// True if this read gets the value that the last write has stored from an ordered store of the same value.
  bool reads_same_value(const GlobalCell& cell) const {
    return !writes && cell.same_value.exists() && (cell.same_value.several != 0 || ordered(cell.same_value));
  }

  void report(const GlobalTouch& other, int i, bool other_writes) {
    if (std::exchange(reported, true)) return;
    if (!other_writes && touch.atomic != 0 && other.strong == 0) {
      races.doubtful_.insert({{FindingKind::global_race, op.instruction, other.instruction}, other.instruction});
    } else if (!writes && other.atomic != 0 && touch.strong == 0) {
      races.doubtful_.insert({{FindingKind::global_race, op.instruction, other.instruction}, op.instruction});
    }
    const std::uint64_t byte = address + static_cast<std::uint64_t>(i);
    const Region* const region = m.context.memory->find(byte);
    const auto at = m.thread_position(other.thread);
    std::string thread = fmt::format("({},{},{})", at[0], at[1], at[2]);
    if (other.block != touch.block) thread += " of " + block_text(m, other.block);
    if (other.bulk_store != 0 && block_nearby(m, other.block) != nullptr) {
      return m.report_thread(
          FindingKind::global_race, op.instruction, m.thread_of(lane),
          fmt::format(
              "{} {} at byte {}, which the bulk copy that thread {} starts at {} may still be writing: that "
              "thread must wait for its bulk group (cp.async.bulk.wait_group without .read), and then both must "
              "synchronize",
              writes ? "writes" : "reads", region->name, byte - region->base, thread,
              place_of(m.program, other.instruction)),
          byte, other.instruction);
    }
    m.report_thread(
        FindingKind::global_race, op.instruction, m.thread_of(lane),
        fmt::format("{} {} at byte {}, which thread {} {} at {}: the two accesses are not ordered; {}",
                    writes ? "writes" : "reads", region->name, byte - region->base, thread,
                    other_writes ? "writes" : "reads", place_of(m.program, other.instruction), remedy(other)),
        byte, other.instruction);
  }

  /// True if the access would be ordered if the thread had a fence here.
  bool has_seen(const GlobalTouch& other, const BlockState* nearby) const {
    const SharedShadow::Clock& seen = m.block->shadow->seen(m.shadow_warp());
    const std::uint32_t warp = other.thread / 32U;
    return other.epoch <=
           (nearby == nullptr ? seen.others.epoch_of(other.block, warp) : seen.warps[nearby->first_warp + warp]);
  }

  std::string remedy(const GlobalTouch& other) const {
    if (touch.strong != 0 && other.strong != 0)
      return "one of them is atomic only for its own block: is the suffix _block wrong?";
    if (touch.strong != other.strong)
      return fmt::format("only the {} one is atomic or volatile", touch.strong != 0 ? "first" : "second");
    const BlockState* const block = block_nearby(m, other.block);
    if (has_seen(other, block)) {
      return "the thread has read a flag or lock that the other one has changed, but has no __threadfence() behind "
             "it";
    }
    if (block == nullptr && m.context.launch->cooperative) return "is a grid.sync() missing between them?";
    if (block == nullptr) {
      return "if both change the value, use an atomic operation; if one waits for the other, it needs a flag, with "
             "__threadfence() on both sides";
    }
    if (block != m.block) return "is a cluster.sync() missing between them?";
    const std::uint32_t before = block->first_warp * 32 + other.thread;
    if (!same_warp(other) && m.block->shadow->is_before_exit(before, other.epoch, m.shadow_thread(lane)))
      return std::string(exit_is_no_barrier);
    if (!same_warp(other)) return "is a __syncthreads() missing between them?";
    return m.block->warps.size() == 1 ? "is a __syncwarp() missing between them?"
                                      : "is a __syncwarp() or __syncthreads() missing between them?";
  }

  /// The slot for a new read. A read that is ordered before the new one is not needed any more; otherwise the slots
  /// are for different blocks, or else for different warps.
  GlobalTouch& slot_for_read(GlobalCell& cell) const {
    GlobalTouch& first = cell.reads[0];
    GlobalTouch& second = cell.reads[1];
    for (GlobalTouch& read : cell.reads) {
      if (!read.exists()) return read;
      if ((read.strong != 0 || touch.strong == 0) && ordered(read)) return read;
    }
    const auto like = [&](const GlobalTouch& read) {
      return first.block == second.block ? same_warp(read) : read.block == touch.block;
    };
    return like(first) && !like(second) ? first : second;
  }

  /// Notes plain reads before an atomic of the same thread, whose results the atomic checks.
  void note_guesses(const GlobalCell& cell) const {
    for (const GlobalTouch& read : cell.reads)
      if (read.exists() && read.strong == 0 && same_warp(read)) races.guesses_.insert(read.instruction);
  }

  /// Checks and records the access to a cell, which begins at byte `i` of the access.
  void access(GlobalCell& cell, int i, int bytes) {
    if (touch.atomic != 0) note_guesses(cell);
    const GlobalTouch& last = cell.strong.exists() ? cell.strong : cell.plain;
    if (writes && last.exists() && stores_same_value(last, i, bytes)) {
      const bool others = cell.same_value.exists() && !ordered(cell.same_value);
      cell.same_value = touch;
      cell.same_value.several = others ? 1 : 0;
      return;
    }
    if (conflicts(cell.plain) && !reads_same_value(cell)) report(cell.plain, i, true);
    if (conflicts(cell.strong) && !has_observed(cell) && !reads_same_value(cell)) report(cell.strong, i, true);
    if (!writes) {
      GlobalTouch& slot = slot_for_read(cell);
      if (slot.exists() && slot.instruction != touch.instruction && slot.strong == 0 && same_thread(slot))
        races.repeated_reads_.insert({slot.instruction, touch.instruction});
      slot = touch;
      return;
    }
    for (const GlobalTouch& read : cell.reads)
      if (conflicts(read)) report(read, i, false);
    cell.reads = {};
    cell.same_value = {};
    if (touch.strong == 0) cell.strong = {};
    (touch.strong != 0 ? cell.strong : cell.plain) = touch;
  }
};

GlobalRaces::GlobalRaces(std::size_t limit_bytes) : shadow_(limit_bytes) {}

void GlobalRaces::access(Machine& m, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes,
                         MemoryObserver::Kind kind, const Places& places) {
  if (gave_up_) return;
  const bool writes = kind != MemoryObserver::Kind::read, atomic = kind == MemoryObserver::Kind::atomic;
  const bool in_table = op.run == handlers::load || op.run == handlers::store || op.run == handlers::atomic;
  const Access* const access = in_table ? &m.program.accesses[op.table_index] : nullptr;
  const bool strong = access != nullptr && access->communicates;
  ++execution_;
  GlobalTouch touch;
  touch.block = static_cast<std::uint32_t>(m.block->index);
  touch.instruction = op.instruction;
  touch.execution = execution_;
  touch.strong = strong ? 1 : 0;
  touch.atomic = atomic ? 1 : 0;
  touch.block_scope = strong && access->block_scope ? 1 : 0;
  const SharedShadow& shadow = *m.block->shadow;
  for_lanes(mask, [&](int lane) {
    if (strong) synchronize(m, op, at[lane], atomic || !writes, writes, touch.block_scope != 0);
    // A thread that waits for a strong write is ordered after the fence before it, and so after the write, too.
    if (strong && writes) touch.epoch = shadow.clock(m.shadow_warp()).published.epoch_of(touch.block, m.warp->id);
    if (!strong || !writes || touch.epoch == 0) touch.epoch = shadow.epoch(m.shadow_warp());
    touch.thread = static_cast<std::uint16_t>(m.thread_of(lane) & 1023);
    if (m.accessed_by == AccessedBy::bulk_store && kind == MemoryObserver::Kind::write) {
      const std::uint32_t group = m.block->shadow->open_bulk_group(m.shadow_thread(lane));
      touch.bulk_store = group <= 0xffff ? 1 : 0;
      if (touch.bulk_store != 0) touch.execution = static_cast<std::uint16_t>(group);
    }
    const GlobalShadow::Cells found = shadow_.at(at[lane], bytes);
    LaneAccess one{*this, m, op, lane, at[lane], writes, touch, at, places.host[lane]};
    int i = 0;
    for (GlobalCell& cell : found.cells) {
      one.access(cell, i, found.bytes);
      i += found.bytes;
    }
  });
}

void GlobalRaces::synchronize(Machine& m, const Op& op, std::uint64_t address, bool reads, bool writes,
                              bool block_scope) {
  const ptx::Instruction& instruction = *m.program.sources[op.instruction].instruction;
  const bool both = instruction.has(ptx::Modifier::acq_rel);
  SharedShadow& shadow = *m.block->shadow;
  const std::uint32_t warp = m.shadow_warp();
  if (reads) {
    shadow.acquire_global(warp, address);
    if (const auto found = released_.find(address); found != released_.end()) shadow.receive(warp, found->second);
    if (both || instruction.has(ptx::Modifier::acquire)) m.sanitizer->fence(m, !block_scope);
  }
  if (!writes) return;
  if (instruction.has(ptx::Modifier::release)) m.sanitizer->fence(m, !block_scope);
  shadow.release_global(warp, address);
  if (const KnownBlocks& published = shadow.clock(warp).published; !published.empty())
    released_[address].join(published);
  if (released_.size() > variable_limit || shadow.variable_count() > block_variable_limit) {
    gave_up_ = true;
    released_.clear();
  }
}

void GlobalRaces::fence(Machine& m) {
  SharedShadow& shadow = *m.block->shadow;
  const SharedShadow::Clock& clock = shadow.clock(m.shadow_warp());
  KnownBlocks all = clock.others;
  const auto add = [&](const BlockState& block) {
    const auto first = clock.warps.begin() + block.first_warp;
    KnownBlocks::Epochs epochs(first, first + m.context.warps_per_block);
    const bool any = std::ranges::any_of(epochs, [](std::uint32_t epoch) { return epoch != 0; });
    if (any) all.add(static_cast<std::uint32_t>(block.index), std::move(epochs));
  };
  if (m.block->cluster == nullptr) {
    add(*m.block);
  } else {
    for (const BlockState* const block : m.block->cluster->blocks) add(*block);
  }
  shadow.publish(m.shadow_warp(), std::move(all));
}

void GlobalRaces::launch_ended(FindingList& findings) {
  // A read that is repeated before the atomic is one of its guesses, too.
  for (std::size_t before = 0; before != guesses_.size();) {
    before = guesses_.size();
    for (const auto& [read, again] : repeated_reads_)
      if (guesses_.contains(again)) guesses_.insert(read);
  }
  for (const auto& [place, read] : doubtful_)
    if (guesses_.contains(read)) findings.withdraw(place);
}

}  // namespace warpwalk::gpu
